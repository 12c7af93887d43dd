ENV["RAILS_ENV"] = "test"
ENV["QUEUE_ADAPTER"] = "sidekiq"
ENV["TEST_DATABASE"] = "testmaster_campaign_#{Process.pid}"

require_relative "../../../config/boot"
require_relative "../../support/own_redis"
ENV["REDIS_URL"] = OwnRedis.claim
require "rails"
require "sidekiq/cli"
require_relative "../../../config/environment"

# A separate Testmaster with its own database, Redis database and worker.
class Stage
  def self.open
    stage = new
    stage.set_up
    yield stage
  ensure
    stage.tear_down
  end

  def set_up
    ActiveRecord::Tasks::DatabaseTasks.create_current
    ActiveRecord::Tasks::DatabaseTasks.load_schema_current
    Sidekiq.redis { |redis| redis.call("FLUSHDB") }
    User.create! email_address: "campaign@example.org", password: SecureRandom.base58(20),
      role: "administrator"
  end

  # The worker is forked with all code loaded, so that it starts at once.
  def start_worker
    @log ||= Rails.root.join("log/campaign_#{Process.pid}.log")
    @worker = fork do
      $stdout.reopen @log.to_s, "a"
      $stderr.reopen $stdout
      Sidekiq::CLI.instance.parse [ "-r", Rails.root.to_s, "-C", Rails.root.join("config/sidekiq.yml").to_s ]
      Sidekiq::CLI.instance.run boot_app: false
    end
  end

  def kill_worker
    Process.kill :KILL, @worker
    Process.wait @worker
    @worker = nil
  end

  # Terminates all other connections, as a restart of PostgreSQL does.
  def cut_connections
    ApplicationRecord.connection.execute "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = " \
      "current_database() AND pid <> pg_backend_pid()"
  end

  # @return ids of the processes that work in the folder or below it
  def processes_in(folder)
    Dir["/proc/[0-9]*/cwd"].select { |link| File.readlink(link).start_with?("#{folder}/") rescue false }.map do |link|
      link[/\d+/].to_i
    end
  end

  # JVMs outlive the worker, and an interrupted run leaves some.
  def tear_down
    kill_worker if @worker
    processes_in(Rails.configuration.x.run_root).each { |pid| Process.kill :KILL, pid rescue nil }
    Sidekiq.redis { |redis| redis.call("FLUSHDB") }
    ActiveRecord::Base.connection_handler.clear_all_connections!
    ActiveRecord::Tasks::DatabaseTasks.drop_current
    FileUtils.rm_rf Rails.configuration.x.run_root
    @log&.delete
  end
end
