require "sidekiq/api"

# Deletes jobs that failed repeatedly, which Sidekiq keeps for inspection.
class Chore::DeadJobs < Chore
  self.title, self.thing = "Jobs that failed for good", "jobs"
  self.words = "Sidekiq keeps 10,000 at most. The size is that of all data in Redis."
  self.usual_days = 30

  def places
    [ "Redis" ]
  end

  private
    def clear
      each_of(Sidekiq::DeadSet.new.select { |job| job.at < limit }) do |job|
        job.delete
        @removed += 1
      end
    end

    def size
      Sidekiq.redis { |redis| redis.call("INFO", "memory") }[/^used_memory:(\d+)/, 1].to_i
    end
end
