# Asks for the second factor of an account whose password was right.
class Sessions::FactorsController < ApplicationController
  allow_unauthenticated_access
  before_action :set_user

  # Failed attempts of whoever knows the password must not lock out the owner of the account.
  rate_limit to: 10, within: 3.minutes, only: :create, by: -> { "factor of #{@user.id} known=#{known_browser?}" },
    with: SessionsController::TOO_MANY

  def new
  end

  def create
    if @user.pass_second_factor?(params[:code].to_s.first(20))
      session.delete :second_factor_of
      redirect_to start_new_session_for(@user)
    else
      AuditEntry.create! who: @user.email_address, action: "failed to sign in", subject: "second factor",
        ip_address: request.remote_ip
      flash.now.alert = "The code is not right, or was used before."
      render :new, status: :unprocessable_entity
    end
  end

  private
    def known_browser?
      cookies.signed[:known_to] == @user.id
    end

    def set_user
      asked = session[:second_factor_of].to_h
      @user = User.active.find_by(id: asked["id"]) if asked["until"].to_i > Time.current.to_i
      redirect_to new_session_path, alert: "Sign in with the password first." unless
        @user&.second_factor? && @user.password_salt == asked["salt"]
    end
end
