# Starts housekeeping at once, as after a change of the retention times.
class Settings::HousekeepingsController < ApplicationController
  refuse_tokens
  open_to :administrator

  def create
    Housekeeping.request
    redirect_to settings_path(anchor: "disk"), notice: "The worker keeps house now. Load the page again to see it."
  end
end
