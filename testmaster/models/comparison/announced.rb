# Pages that show a comparison, and the run that it was made for, change by themselves.
module Comparison::Announced
  extend ActiveSupport::Concern

  included { after_update_commit :refresh_pages }

  def refresh_pages
    broadcast_refresh
    if test_run
      test_run.refresh_pages
      broadcast_refresh_to TestRun::Live::LIST if saved_change_to_state?
    end
  rescue Redis::BaseError, RedisClient::Error => error
    Rails.logger.warn "Pages of comparison #{id} are not told: #{error.message}"
  end
end
