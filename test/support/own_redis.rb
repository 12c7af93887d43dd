require "uri"
require "fileutils"

# Claims a Redis database that no other test process uses, as each process empties its own.
module OwnRedis
  LOCKS = File.expand_path("../../tmp/test/redis", __dir__)
  NUMBERS = 1..15

  # @return the URL of the claimed database
  def self.claim
    FileUtils.mkdir_p LOCKS
    number = NUMBERS.find { |candidate| lock candidate } or raise "all Redis databases are in use by other tests"
    URI(ENV.fetch("REDIS_URL")).tap { |uri| uri.path = "/#{number}" }.to_s
  end

  # The lock lasts until this process and its children have ended.
  def self.lock(number)
    @lock = File.open(File.join(LOCKS, number.to_s), "w")
    @lock.flock File::LOCK_EX | File::LOCK_NB
  end
end
