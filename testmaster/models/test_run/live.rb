# Pages that show a run, and the list of runs, change by themselves: they are told to, and fetch what is new.
module TestRun::Live
  extend ActiveSupport::Concern

  LIST = "test_runs"
  HEARTBEAT = %w[ worked_on_at updated_at ]

  included do
    after_update_commit :refresh_pages, if: -> { (saved_changes.keys - HEARTBEAT).any? }
    after_commit -> { tell_pages { broadcast_refresh_to LIST } }, if: -> { destroyed? || saved_change_to_state? }
  end

  def refresh_pages
    tell_pages { broadcast_refresh }
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

  private
    # A page that is not told is only old; a run must not suffer from that.
    def tell_pages
      yield
    rescue Redis::BaseError, RedisClient::Error => error
      Rails.logger.warn "Pages of test run #{id} are not told: #{error.message}"
    end
end
