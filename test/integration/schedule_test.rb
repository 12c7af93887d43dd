require "test_helper"
require_relative "../support/own_redis"

class ScheduleTest < ActiveSupport::TestCase
  test "a worker restores the schedule of an emptied Redis" do
    url = OwnRedis.claim
    redis = RedisClient.new(url: url)
    redis.call "FLUSHDB"
    jobs = YAML.load_file(Rails.root.join("config/schedule.yml")).size

    SidekiqWorker.run("REDIS_URL" => url, "TEST_DATABASE" => "no_such_database", "QUEUE_ADAPTER" => "sidekiq") do
      await { redis.call("SCARD", "cron_jobs:default") == jobs }
      redis.call "FLUSHDB"

      await { redis.call("SCARD", "cron_jobs:default") == jobs }
      assert await { redis.call("SCAN", 0, "COUNT", 1000).last.any? { |key| key.match?(/retry|queue:default/) } }
    end
  ensure
    redis&.call "FLUSHDB"
  end
end
