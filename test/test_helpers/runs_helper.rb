require_relative "run_traces_helper"

# Makes real runs of a few seconds on this machine, by the same jobs as the web form.
module RunsHelper
  extend ActiveSupport::Concern
  include ActiveJob::TestHelper, RunTracesHelper

  DEFINITION = {
    "name" => "Of a test", "duration" => "3s", "warmup" => "1s", "timeout" => "30s",
    "revision" => ENV.fetch("MLMQ_REVISION", "HEAD"), # set it where the broker's code changes meanwhile
    "brokers" => [ { "scenario" => "Broker", "jvms" => 1,
      "settings" => { "workers" => "2", "db.connections" => "2" } } ],
    "clients" => [ { "scenario" => "OneWayClient", "jvms" => 1, "clients" => 4, "settings" => { "rate" => "100/s" } } ]
  }
  TWO_OF_EACH = {
    brokers: DEFINITION["brokers"].map { |group| group.merge("jvms" => 2) },
    clients: DEFINITION["clients"] + [ { "scenario" => "PublicQueueProducer", "jvms" => 1, "clients" => 2,
      "settings" => { "rate" => "50/s" } } ]
  }

  BUILDING = Rails.root.join("tmp/test/building.lock")

  # The first test builds. Other processes wait for it, or all would build the same.
  def self.build_once
    @built ||= BUILDING.tap { |lock| lock.dirname.mkpath }.open("w") do |lock|
      lock.flock File::LOCK_EX
      Build.of(DEFINITION["revision"]).perform { }
      true
    end
  end

  included do
    setup { RunsHelper.build_once }
    setup { TestRun.where(state: "running").update_all state: "finished" } # otherwise the fixture holds up the queue
  end

  def build_run(**changes)
    TestRun.from_definition(DEFINITION.deep_dup.merge(changes.deep_stringify_keys)).tap do |run|
      run.creator = users(:experimenter)
    end
  end

  # Launches a run and performs all its jobs.
  def run_through(run)
    perform_enqueued_jobs(only: TestRun::AdvanceJob) { assert run.launch, run.errors.full_messages.to_sentence }
    run.reload
  end

  # Waits until the load begins, then yields the JVMs once, in parallel to the job that watches them.
  def while_running(run)
    watcher = Thread.new do
      stdout = nil
      await(within: 240) do
        ended_at, error = TestRun.where(id: run.id).pick(:ended_at, :error)
        raise "the run ended before: #{error}" if ended_at

        run.id && (stdout = folder_of(run).join("client_0/logs/stdout.log")).exist? &&
          stdout.read.match?(/"warmup"|"measuring"/)
      end
      Rails.application.executor.wrap { yield TestRun.find(run.id).jvms.to_a }
    end
    run_through run
    watcher.join
    run.reload
  end

  # Cancels without TestRun#cancel, whose job would share our only connection, and so the lock, with the active job.
  def cancel(run)
    TestRun.where(id: run.id).update_all cancelled_at: Time.current
  end
end

# Parallel workers have separate databases with equal ids, so each needs a separate folder.
ActiveSupport::TestCase.parallelize_setup { |worker| Rails.configuration.x.run_root += "worker_#{worker}" }
