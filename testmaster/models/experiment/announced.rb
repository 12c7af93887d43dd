# Pages that show an experiment, and the list of them, change by themselves.
module Experiment::Announced
  extend ActiveSupport::Concern
  include Live

  LIST = "experiments"

  def refresh_pages
    super
    tell_pages { broadcast_refresh_to LIST }
  end
end
