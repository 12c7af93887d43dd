require "sidekiq/api"

# The processes that do the jobs of runs.
module Worker
  # nil where Redis, which knows, cannot be asked.
  def self.running?
    Sidekiq::ProcessSet.new.any?
  rescue Redis::BaseError, RedisClient::Error
    nil
  end
end
