require "test_helper"

class TestRun::QueueableTest < ActiveSupport::TestCase
  include ActiveJob::TestHelper

  test "a local run waits while another is under way, and is called when that has ended" do
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

  test "first come, first served" do
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

  test "a run whose definition is not valid any more is cancelled all the same" do
    run = test_runs(:running)
    redefine run, revision: "http://example.org/no-longer-allowed.git"
    assert_not run.definition.valid?
    run.cancel

    assert_predicate run.reload, :cancelling?
  end

  test "a run that is cancelled while it waits ends without having had machines" do
    run = test_runs(:draft)
    run.launch
    run.cancel

    perform_enqueued_jobs { run.advance_later }

    assert_predicate run.reload, :cancelled?
    assert_empty run.machines
    assert_predicate run.archive, :attached?
  end

  test "a run that could begin on its own hosts waits for those that take all threads of the worker" do
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
