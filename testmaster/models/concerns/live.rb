# Pages that show a record change by themselves: they are told to, and fetch what is new.
module Live
  extend ActiveSupport::Concern

  HEARTBEAT = %w[ worked_on_at updated_at ]

  included do
    after_update_commit :refresh_pages, if: -> { (saved_changes.keys - HEARTBEAT).any? }
  end

  def refresh_pages
    tell_pages { broadcast_refresh }
  end

  private
    # A page that is not told is only old; the work must not suffer from that.
    def tell_pages
      yield
    rescue Redis::BaseError, RedisClient::Error => error
      Rails.logger.warn "Pages of #{model_name.human.downcase} #{id} are not told: #{error.message}"
    end
end
