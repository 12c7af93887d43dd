class Settings::AccountsController < ApplicationController
  refuse_tokens
  open_to :viewer

  def update
    @user = Current.user

    if !@user.authenticate(fields_of(:user)[:present_password].to_s)
      @user.errors.add :present_password, "is not the current password"
      render_settings
    elsif @user.update(account_params)
      @user.sessions.where.not(id: Current.session).delete_all
      redirect_to settings_path,
        notice: "Saved. Other browsers are signed " \
          "out#{", and API tokens are revoked" if @user.saved_change_to_password_digest?}."
    else
      render_settings
    end
  end

  private
    def account_params
      fields_of(:user).permit(:email_address, :password, :present_password).except(:present_password).tap do |given|
        given.delete(:password) if given[:password].blank?
      end
    end

    def render_settings
      @user.email_address = account_params[:email_address]
      render "settings/show", status: :unprocessable_entity
    end
end
