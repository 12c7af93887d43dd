require "sidekiq/api"

# The processes that do the jobs of runs.
module Worker
  SILENCE = 25 # seconds; each tells every ten that it lives, and Redis keeps its name for a minute

  # nil where Redis, which knows, cannot be asked.
  def self.running?
    Sidekiq::ProcessSet.new.any? { |process| process["beat"].to_f > SILENCE.seconds.ago.to_f }
  rescue Redis::BaseError, RedisClient::Error
    nil
  end
end
