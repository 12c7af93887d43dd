# Pages that show an experiment, and the list of them, change by themselves.
module Experiment::Announced
  extend ActiveSupport::Concern

  LIST = "experiments"
  HEARTBEAT = %w[ worked_on_at updated_at ]

  included do
    after_update_commit :refresh_pages, if: -> { (saved_changes.keys - HEARTBEAT).any? }
  end

  def refresh_pages
    broadcast_refresh
    broadcast_refresh_to LIST
  rescue Redis::BaseError, RedisClient::Error => error
    Rails.logger.warn "Pages of experiment #{id} are not told: #{error.message}"
  end
end
