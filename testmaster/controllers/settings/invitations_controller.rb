class Settings::InvitationsController < ApplicationController
  refuse_tokens
  open_to :administrator

  # This response shows the link, so that it appears in no address and no history.
  def create
    given = fields_of(:invitation)
    @invitation = Invitation.new(role: given.delete(:role).to_s)
    @invitation.assign_attributes given.permit(:email_address)
    render "settings/show", status: @invitation.save ? :created : :unprocessable_entity
  end

  def destroy
    @invitation = Invitation.find(params[:id]).destroy!
    redirect_to settings_section_path("people"), status: :see_other,
      notice: "The invitation of #{@invitation.email_address} is withdrawn."
  end

  private
    def audited_subject
      "#{@invitation.email_address} as #{@invitation.role}"
    end
end
