require_relative "run_traces_helper"

# Real runs of a few seconds on this machine, by the same jobs as the web form's.
module RunsHelper
  extend ActiveSupport::Concern
  include ActiveJob::TestHelper, RunTracesHelper

  DEFINITION = {
    "name" => "Of a test", "duration" => "3s", "warmup" => "1s", "timeout" => "30s",
    "revision" => ENV.fetch("MLMQ_REVISION", "HEAD"), # another where somebody works on the broker at the same time
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

  # By the first test that comes; those of other processes wait, or they would all build the same.
  def self.build_once
    @built ||= BUILDING.tap { |lock| lock.dirname.mkpath }.open("w") do |lock|
      lock.flock File::LOCK_EX
      Build.of(DEFINITION["revision"]).perform { }
      true
    end
  end

  included do
    setup { RunsHelper.build_once }
    setup { TestRun.where(state: "running").update_all state: "finished" } # the fixture would hold up the queue
  end

  def build_run(**changes)
    TestRun.from_definition(DEFINITION.deep_dup.merge(changes.deep_stringify_keys)).tap do |run|
      run.creator = users(:experimenter)
    end
  end

  # Launches a run and works off all its jobs.
  def run_through(run)
    perform_enqueued_jobs(only: TestRun::AdvanceJob) { assert run.launch, run.errors.full_messages.to_sentence }
    run.reload
  end

  # Lets the load begin, then yields the JVMs once, beside the very job that watches them.
  def while_running(run)
    meddler = Thread.new do
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
    meddler.join
    run.reload
  end

  # As TestRun#cancel, whose job would share our one connection, and so the lock, with the job at work.
  def cancel(run)
    TestRun.where(id: run.id).update_all cancelled_at: Time.current
  end
end

# Workers have databases of their own in which ids are the same, so they need folders of their own too.
ActiveSupport::TestCase.parallelize_setup { |worker| Rails.configuration.x.run_root += "worker_#{worker}" }
