require "test_helper"
require "minitest/mock"

class TestRun::ResumableTest < ActiveSupport::TestCase
  include ActiveJob::TestHelper

  test "an abandoned run is resumed, an active one is not" do
    run = test_runs(:running)

    run.touch :worked_on_at
    assert_no_enqueued_jobs(only: TestRun::AdvanceJob) { TestRun.resume_abandoned }
    run.update_columns worked_on_at: 1.minute.ago
    assert_enqueued_with(job: TestRun::AdvanceJob, args: [ run ]) { TestRun.resume_abandoned }
  end

  test "a run whose lock is taken is not resumed" do
    run = test_runs(:running)
    run.update_columns worked_on_at: 1.minute.ago

    run.holding_lock do
      assert_no_enqueued_jobs(only: TestRun::AdvanceJob) { TestRun.resume_abandoned }
    end
  end

  test "an ended run without a verdict is judged" do
    run = test_runs(:finished)
    redefine run, thresholds: [ "p99 < 5 ms" ]
    run.update_columns verdict_name: nil, thresholds_met: nil,
      figures: { "examined" => true, "exact" => { "p99" => 21_000 }, "checks" => [ { "verdict" => "good" } ] }

    TestRun.resume_abandoned
    assert_equal [ "threshold_broken", 0.0 ], run.reload.values_at(:verdict_name, :thresholds_met)
  end

  test "an interrupted analysis resumes, no delivery does" do
    analyses(:response_time).update_columns state: "processing", updated_at: 1.minute.ago
    reply = replies(:status_of_broker_0)
    reply.update_columns state: "pending", created_at: 5.minutes.ago

    assert_enqueued_with(job: Analysis::PerformJob, args: [ analyses(:response_time) ]) { TestRun.resume_abandoned }
    assert_predicate reply.reload, :unanswered?
  end

  test "unattended seconds are marked in the charts" do
    run = test_runs(:running)
    run.update_columns load_starts_at: 20.seconds.ago, worked_on_at: Time.current
    run.stub(:phase, nil) do
      run.advance
      assert_empty run.events.where(name: "unattended")

      run.update_columns worked_on_at: run.load_starts_at + 4
      run.advance
    end
    event = run.events.find_by!(name: "unattended")

    assert_match(/\ANo worker attended to this run for \d+s\z/, event.message)
    assert_in_delta 4, run.reload.outcome.neglects.sole.first, 0.01
    assert_in_delta event.created_at - run.load_starts_at, run.outcome.neglects.sole.last, 0.01
    assert_equal run.outcome.neglects, Outcome::Series.new(run).as_json["neglects"]
  end

  test "a queued run is not called unattended" do
    run = test_runs(:running)
    run.update_columns state: "queued", worked_on_at: 30.seconds.ago
    run.stub(:phase, nil) { run.advance }

    assert_empty run.events.where(name: "unattended")
  end
end
