require "test_helper"
require "minitest/mock"

class Analysis::PerformableTest < ActiveSupport::TestCase
  setup do
    @analysis = analyses(:response_time)
    @analysis.test_run.archive.attach io: StringIO.new("no zip"), filename: "test_run.zip",
      content_type: "application/zip"
  end

  test "what was made is not made again, however often it is asked for" do
    @analysis.update! state: "completed", completed_at: 1.hour.ago
    Dir.stub(:mktmpdir, -> { flunk "made twice" }) { @analysis.perform }

    assert_predicate @analysis.reload, :completed?
  end

  test "a full disk ends it as failed, with the reason, and it is not queued again" do
    Dir.stub(:mktmpdir, -> { raise Errno::ENOSPC }) { @analysis.perform }

    assert_equal [ "failed", "Errno::ENOSPC: No space left on device" ],
      @analysis.reload.then { |it| [ it.state, it.error ] }
    travel 1.hour
    assert_empty Analysis.abandoned
  end

  test "an analyzer that is killed ends it as failed, with its exit code" do
    killed = Machine::Shell::Result.new(output: "", error: "", status: 137)
    Machine::Shell::Local.stub(:new, Struct.new(:result) { def execute(*, **) = result }.new(killed)) do
      @analysis.perform
    end

    assert_equal [ "failed", "log_analyzer ended with exit code 137" ],
      @analysis.reload.then { |it| [ it.state, it.error ] }
  end

  test "one that kills whoever does it is given up after three times" do
    killed = Class.new(Exception)
    Dir.stub(:mktmpdir, -> { raise killed }) do
      3.times { assert_raises(killed) { @analysis.perform } }
      @analysis.perform
    end

    assert_match "cut off 3 times", @analysis.reload.error
    assert_predicate @analysis, :failed?
  end

  test "trouble of our own is no failure of the analysis" do
    Dir.stub(:mktmpdir, -> { raise PG::ConnectionBad, "gone" }) do
      assert_raises(PG::ConnectionBad) { @analysis.perform }
    end

    assert_predicate @analysis.reload, :processing?
  end
end
