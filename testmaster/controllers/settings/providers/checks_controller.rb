# Checks whether the machines of a provider can be reached, rented and paid for.
class Settings::Providers::ChecksController < ApplicationController
  refuse_tokens
  open_to :administrator

  def create
    @provider = Provider.find(params[:provider_id])
    @findings = @provider.impatient.check

    respond_to do |format|
      format.html do
        render "settings/show",
          status: @findings.any? { |finding| finding.state == "failed" } ? :unprocessable_entity : :ok
      end
      format.json { render json: @findings.map(&:to_h) }
    end
  end
end
