# A disabled provider starts no further run; runs that are active go on.
class Settings::Providers::DisablingsController < ApplicationController
  refuse_tokens
  open_to :administrator

  before_action { @provider = Provider.find(params[:provider_id]) }

  def create
    @provider.update_columns disabled_at: Time.current
    redirect_to settings_section_path("providers"), notice: "#{@provider.name} starts no further run.",
      status: :see_other
  end

  def destroy
    @provider.update_columns disabled_at: nil
    redirect_to settings_section_path("providers"), notice: "#{@provider.name} starts runs again.", status: :see_other
  end
end
