class SessionsController < ApplicationController
  allow_unauthenticated_access only: %i[ new create ]
  open_to :viewer, only: :destroy
  TOO_MANY = -> { redirect_to new_session_path, alert: "Too many attempts. Try again in three minutes." }

  rate_limit to: 10, within: 3.minutes, only: :create, with: TOO_MANY
  rate_limit to: 10, within: 3.minutes, only: :create, with: TOO_MANY, by: -> { "account #{address}" },
    unless: :known_browser?

  def new
    redirect_to root_path if authenticated?
  end

  def create
    if user = User.active.authenticate_by(email_address: params[:email_address].to_s, password: params[:password].to_s)
      redirect_to user.second_factor? ? ask_for_second_factor(user) : start_new_session_for(user)
    else
      AuditEntry.create! who: address.presence || "nobody", action: "failed to sign in", ip_address: request.remote_ip
      flash.now.alert = "The address or the password is not right."
      render :new, status: :unprocessable_entity
    end
  end

  def destroy
    terminate_session
    redirect_to new_session_path, status: :see_other
  end

  private
    def ask_for_second_factor(user)
      session[:second_factor_of] = { "id" => user.id, "salt" => user.password_salt, "until" => 5.minutes.from_now.to_i }
      new_session_factor_path
    end

    def address
      User.normalize_value_for(:email_address, params[:email_address].to_s.delete("\0")).first(200)
    end

    # Failed attempts of strangers must not lock out the owner of the account.
    def known_browser?
      id = cookies.signed[:known_to]
      id.present? && User.active.exists?(id: id, email_address: address)
    end
end
