require "sidekiq/api"

# The processes that perform the jobs of runs.
module Worker
  SILENCE = 25 # seconds; each process reports every ten, and Redis keeps its name for a minute

  # Returns nil if Redis, which knows it, is unavailable.
  def self.running?
    Sidekiq::ProcessSet.new.any? { |process| process["beat"].to_f > SILENCE.seconds.ago.to_f }
  rescue Redis::BaseError, RedisClient::Error
    nil
  end
end
