require "test_helper"

# Tests which jobs share the threads of a worker.
class CapsulesTest < ActiveSupport::TestCase
  CONFIGURATION = YAML.load_file(Rails.root.join("config/sidekiq.yml"))
  # { name => [ queues, threads ] }
  CAPSULES = { "default" => CONFIGURATION, **CONFIGURATION.fetch(:capsules, {}) }
    .transform_values { |capsule| [ capsule[:queues], capsule[:concurrency] ] }
  LONG = [ TestRun::AdvanceJob, Experiment::AdvanceJob, TestRun::ExamineJob, Analysis::PerformJob,
    Comparison::PerformJob, Experiment::Evaluation::PerformJob, Prediction::PerformJob, Profile::PerformJob,
    QueueChange::PerformJob, Webhook::DeliverJob, Housekeeping::PerformJob ]

  test "quick jobs share no thread with long jobs" do
    quick = [ Provider::SweepJob, TestRun::ResumeJob, Command::DeliverJob ]

    assert_equal [ "default" ], quick.map { |job| capsule_of(job) }.uniq
    LONG.each { |job| assert_not_equal "default", capsule_of(job), job.name }
    YAML.load_file(Rails.root.join("config/schedule.yml")).each_value do |scheduled|
      assert_equal scheduled["class"].constantize.new.queue_name, scheduled["queue"]
    end
  end

  test "runs and experiments do not wait for analyses" do
    analyses = capsule_of(Analysis::PerformJob)

    [ TestRun::AdvanceJob, Experiment::AdvanceJob, TestRun::ExamineJob ].each do |job|
      assert_not_equal analyses, capsule_of(job), job.name
    end
    [ Comparison::PerformJob, Experiment::Evaluation::PerformJob, Prediction::PerformJob,
      Profile::PerformJob ].each do |job|
      assert_equal analyses, capsule_of(job), job.name
    end
    assert_equal 2, CAPSULES.fetch(analyses).last
  end

  test "a thread remains to cancel a run" do
    assert_operator CAPSULES.fetch(capsule_of(TestRun::AdvanceJob)).last, :>, TestRun::Queueable::AT_ONCE
  end

  test "each queue has one capsule" do
    Rails.autoloaders.main.eager_load

    assert_equal CAPSULES.values.flat_map(&:first).tally.values.uniq, [ 1 ]
    ApplicationJob.descendants.each { |job| assert capsule_of(job), "no capsule has the queue of #{job.name}" }
    assert_operator CAPSULES.values.sum(&:last) + SideBySide::AT_ONCE, :<=, ApplicationRecord.connection_pool.size
  end

  private
    def capsule_of(job)
      CAPSULES.find { |_, (queues, _)| queues.include?(job.new.queue_name) }&.first
    end
end
