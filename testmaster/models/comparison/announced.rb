# Pages that show a comparison, and the run that it was made for, change by themselves.
module Comparison::Announced
  extend ActiveSupport::Concern
  include Live

  def refresh_pages
    super
    return unless test_run

    test_run.refresh_pages
    tell_pages { broadcast_refresh_to TestRun::Live::LIST } if saved_change_to_state?
  end
end
