# Pages that show a run, and the list of runs, change by themselves: they are told to, and fetch what is new.
module TestRun::Live
  extend ActiveSupport::Concern
  include ::Live

  LIST = "test_runs"

  included do
    after_commit -> { tell_pages { broadcast_refresh_to LIST } }, if: -> { destroyed? || saved_change_to_state? }
  end

  # What belongs to a run and is on its page.
  module Part
    extend ActiveSupport::Concern

    included { after_commit :refresh_pages_of_test_run }

    private
      def refresh_pages_of_test_run
        test_run.refresh_pages unless test_run.nil? || test_run.destroyed?
      end
  end
end
