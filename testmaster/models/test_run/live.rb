# Updates the open pages that show a run or the list of runs: each gets a message and fetches the new state.
module TestRun::Live
  extend ActiveSupport::Concern
  include ::Live

  LIST = "test_runs"

  included do
    after_commit -> { notify_pages { broadcast_refresh_to LIST } }, if: -> { destroyed? || saved_change_to_state? }
  end

  # A record that belongs to a run and is shown on its page.
  module Part
    extend ActiveSupport::Concern

    included { after_commit :refresh_pages_of_test_run }

    private
      def refresh_pages_of_test_run
        test_run.refresh_pages unless test_run.nil? || test_run.destroyed?
      end
  end
end
