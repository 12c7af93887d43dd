# Accepts an invitation: a password creates the account.
class AcceptancesController < ApplicationController
  allow_unauthenticated_access
  rate_limit to: 20, within: 3.minutes,
    with: -> { redirect_to new_session_path, alert: "Too many attempts. Try again in three minutes." }

  before_action :set_invitation

  def new
    @user = User.new
  end

  def create
    @user = @invitation.accept(password: params[:password])

    if @user.errors.none?
      redirect_to start_new_session_for(@user), notice: "Welcome. Your role is #{@user.role}."
    elsif reason = @user.errors[:base].first
      redirect_to new_session_path, alert: "#{reason}.", status: :see_other
    else
      render :new, status: :unprocessable_entity
    end
  end

  private
    def set_invitation
      @invitation = Invitation.find_by_token_for(:acceptance, params[:token].to_s)
      redirect_to new_session_path, alert: "This invitation is no longer valid. Ask for another one." unless @invitation
    end
end
