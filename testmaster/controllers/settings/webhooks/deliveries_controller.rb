# Sends a test message.
class Settings::Webhooks::DeliveriesController < ApplicationController
  refuse_tokens

  def create
    if webhook = Current.user.webhook
      webhook.test
      redirect_to settings_section_path("webhook"), notice: "A test is on its way."
    else
      redirect_to settings_section_path("webhook"), alert: "Save an address first."
    end
  end
end
