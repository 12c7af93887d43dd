class SignInLinksController < ApplicationController
  allow_unauthenticated_access
  after_action :write_down # though it is a GET
  rate_limit to: 20, within: 3.minutes,
    with: -> { redirect_to new_session_path, alert: "Too many attempts. Try again in three minutes." }

  # The token is a parameter and not a part of the path, as parameters are filtered from the logs.
  def show
    if user = User.find_by_sign_in_link(params[:token].to_s)
      redirect_to start_new_session_for(user)
    else
      redirect_to new_session_path, alert: "This link is no longer valid. Sign in with the password."
    end
  end
end
