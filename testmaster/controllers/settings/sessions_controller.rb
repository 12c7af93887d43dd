# Lists and ends the sessions of an account.
class Settings::SessionsController < ApplicationController
  refuse_tokens
  open_to :viewer

  def destroy
    Current.user.sessions.find(params[:id]).destroy!
    redirect_to settings_path, notice: "That browser is signed out.", status: :see_other
  end
end
