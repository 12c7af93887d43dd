# Updates the open pages that show a record: each page gets a message and fetches the new state.
module Live
  extend ActiveSupport::Concern

  HEARTBEAT = %w[ worked_on_at updated_at ]

  included do
    after_update_commit :refresh_pages, if: -> { (saved_changes.keys - HEARTBEAT).any? }
  end

  def refresh_pages
    notify_pages { broadcast_refresh }
  end

  private
    # A page without the message is only stale, so a failure here must not stop the work.
    def notify_pages
      yield
    rescue Redis::BaseError, RedisClient::Error => error
      Rails.logger.warn "Pages of #{model_name.human.downcase} #{id} are not told: #{error.message}"
    end
end
