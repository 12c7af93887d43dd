# Turns the second factor of an account on and off.
class Settings::FactorsController < ApplicationController
  refuse_tokens
  open_to :viewer

  rate_limit to: 10, within: 3.minutes, only: %i[ create destroy ], by: -> { "factor of #{Current.user.id}" },
    with: -> { redirect_to settings_path, alert: "Too many attempts. Try again in three minutes." }

  # Only the password turns a factor off, so that nobody who finds an open browser replaces it.
  before_action only: %i[ new create ] do
    redirect_to settings_path, alert: "The second factor is on: turn it off first." if Current.user.second_factor?
  end

  def new
    session[:new_factor] = ROTP::Base32.random
  end

  # The page has the recovery codes, this once.
  def create
    @codes = Current.user.turn_on_second_factor(session[:new_factor].to_s, params[:code].to_s.first(20)) if
      session[:new_factor]

    if @codes
      session.delete :new_factor
      Current.user.sessions.where.not(id: Current.session).delete_all
      render :create
    elsif session[:new_factor]
      flash.now.alert = "The code is not right. Is the clock of the device right?"
      render :new, status: :unprocessable_entity
    else
      redirect_to new_settings_factor_path
    end
  end

  def destroy
    if Current.user.authenticate(params[:password].to_s)
      Current.user.turn_off_second_factor
      redirect_to settings_path, notice: "The second factor is off.", status: :see_other
    else
      redirect_to settings_path, alert: "That is not the current password: the second factor stays on.",
        status: :see_other
    end
  end
end
