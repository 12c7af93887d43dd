class Settings::UsersController < ApplicationController
  refuse_tokens
  open_to :administrator

  before_action { @user = User.active.find(params[:id]) }

  def update
    answer @user.change_role(fields_of(:user)[:role].to_s), "#{@user.email_address} is #{@user.role} now."
  end

  def destroy
    answer @user.remove, "The account #{@user.email_address} is removed."
  end

  private
    def audited_subject
      action_name == "update" ? "#{@user.email_address} to #{@user.role}" : @user
    end

    def answer(done, notice)
      redirect_to settings_section_path("people"), status: :see_other,
        **(done ? { notice: notice } : { alert: @user.errors.full_messages.to_sentence })
    end
end
