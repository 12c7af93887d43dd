require "test_helper"

class BaselineTest < ActiveSupport::TestCase
  include ActiveJob::TestHelper

  setup { @before = run_with_logs(name: "Stability", tags: [ "nightly" ]) }

  test "a later run of the name is compared with it once" do
    Baseline.mark @before, "name", "Stability"
    later = run_with_logs(name: "Stability", slower: 1.5, seed: 2)
    later.update! figures: {}
    2.times { later.examine }
    comparison = later.reload.own_comparison
    perform_enqueued_jobs only: Comparison::PerformJob

    assert_equal [ @before.id, later.id ], comparison.entries.map(&:number)
    assert_predicate comparison.reload, :completed?, comparison.error
    assert_equal "worse", later.reload.outcome.change_since_baseline["verdict"]
    assert_equal 1, Comparison.count
    assert_not comparison.baseline_can_be?("B"), "the comparison belongs to the later run"
  end

  test "a name's baseline takes precedence over a tag's" do
    other = run_with_logs(name: "Other", tags: [ "nightly" ])
    Baseline.mark @before, "tag", "nightly"
    later = run_with_logs(name: "Other", tags: [ "nightly" ])
    assert_equal @before, later.outcome.baseline.test_run

    Baseline.mark other, "name", "Other"
    assert_equal other, later.outcome.baseline.test_run
    assert_nil Baseline.of(@before)
    assert_nil run_with_logs(name: "Neither").outcome.baseline
  end

  test "a baseline is unique and goes with its run" do
    Baseline.mark @before, "name", "Stability"
    again = run_with_logs(name: "Stability")
    Baseline.mark again, "name", "Stability"
    assert_equal again, Baseline.sole.test_run

    assert_predicate Baseline.mark(test_runs(:finished), "name", "Stability").errors[:test_run], :any?
    assert_predicate Baseline.mark(again, "tag", "weekly").errors[:value], :any?
    assert_predicate Baseline.mark(again, "colour", "red").errors[:kind], :any?
    again.destroy!
    assert_empty Baseline.all
  end
end
