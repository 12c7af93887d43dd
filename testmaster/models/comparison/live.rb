# Updates the open pages that show a comparison, or the run for which it was created.
module Comparison::Live
  extend ActiveSupport::Concern
  include ::Live

  def refresh_pages
    super
    return unless test_run

    test_run.refresh_pages
    notify_pages { broadcast_refresh_to TestRun::Live::LIST } if saved_change_to_state?
  end
end
