# Starts housekeeping at once, as after a change of the retention times.
class Settings::HousekeepingsController < ApplicationController
  refuse_tokens
  open_to :administrator

  def create
    Housekeeping.request
    redirect_to settings_section_path("disk"), notice: "The worker cleans up now. Reload the page to see the result."
  end
end
