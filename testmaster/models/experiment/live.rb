# Updates the open pages that show an experiment or the list of experiments.
module Experiment::Live
  extend ActiveSupport::Concern
  include ::Live

  LIST = "experiments"

  def refresh_pages
    super
    notify_pages { broadcast_refresh_to LIST }
  end
end
