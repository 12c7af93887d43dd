require "test_helper"

class TestRun::QueueableTest < ActiveSupport::TestCase
  include ActiveJob::TestHelper

  test "a local run waits until the active one ends" do
    first, second = test_runs(:running), test_runs(:draft)
    second.launch

    second.advance
    assert_predicate second.reload, :queued?
    assert_equal [ first ], second.waits_for.to_a

    first.update! state: "collecting"
    assert_enqueued_with(job: TestRun::AdvanceJob, args: [ second ]) { first.phase.send :conclude }
    second.advance
    assert_predicate second.reload, :building?
  end

  test "runs start in the order of their launch" do
    test_runs(:running).update! state: "finished"
    first, second = test_runs(:draft).duplicate.tap(&:save!), test_runs(:draft)
    first.launch
    travel(1.second) { second.launch }

    second.advance
    assert_predicate second.reload, :queued?
    assert_equal [ first ], second.waits_for.to_a
    assert_empty first.waits_for

    first.advance
    assert_predicate first.reload, :building?
  end

  test "an invalid definition can still be cancelled" do
    run = test_runs(:running)
    redefine run, revision: "http://example.org/no-longer-allowed.git"
    assert_not run.definition.valid?
    run.cancel

    assert_predicate run.reload, :cancelling?
  end

  test "a run cancelled in the queue never has machines" do
    run = test_runs(:draft)
    run.launch
    run.cancel

    perform_enqueued_jobs { run.advance_later }

    assert_predicate run.reload, :cancelled?
    assert_empty run.machines
    assert_predicate run.archive, :attached?
  end

  test "a run waits for a free thread of the worker" do
    provider = Provider::Local.create!(name: "another")
    others = Array.new(TestRun::Queueable::AT_ONCE) do
      test_runs(:running).duplicate.tap { |run| run.update! state: "running", provider: provider }
    end
    test_runs(:running).update! state: "finished"
    run = test_runs(:draft)
    run.launch

    assert_equal others, run.waits_for.to_a
  end
end
