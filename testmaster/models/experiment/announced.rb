# Updates the open pages that show an experiment or the list of experiments.
module Experiment::Announced
  extend ActiveSupport::Concern
  include Live

  LIST = "experiments"

  def refresh_pages
    super
    tell_pages { broadcast_refresh_to LIST }
  end
end
