class Settings::WebhooksController < ApplicationController
  refuse_tokens

  def update
    @webhook = Current.user.webhook || Current.user.build_webhook
    @webhook.assign_attributes webhook_params

    # This response shows a secret that was generated.
    if @webhook.save
      @webhook.made_secret ? render("settings/show", status: :created) :
        redirect_to(settings_section_path("webhook"), notice: "The webhook is saved.")
    else
      render "settings/show", status: :unprocessable_entity
    end
  end

  def destroy
    Current.user.webhook&.destroy!
    redirect_to settings_section_path("webhook"), notice: "Ends of runs are not reported any more.", status: :see_other
  end

  private
    # An empty secret stays unchanged, or is generated.
    def webhook_params
      fields_of(:webhook).permit(:url, :secret).tap { |given| given.delete(:secret) if given[:secret].blank? }
    end
end
