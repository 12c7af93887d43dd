require "test_helper"

class TestRun::LiveTroubleTest < ActiveSupport::TestCase
  test "an unavailable Redis does not fail a run" do
    run = test_runs(:running)
    broken = Module.new { def broadcast(*) = raise(Redis::CannotConnectError, "connection refused") }
    ActionCable.server.singleton_class.prepend broken

    assert_nothing_raised { run.enter "collecting" }
    assert_predicate run.reload, :collecting?
  ensure
    broken.remove_method :broadcast
  end

  test "a Redis error in a phase does not fail the run" do
    run = test_runs(:running)
    run.define_singleton_method(:phase) do
      super().tap do |phase|
        phase.define_singleton_method(:perform) { raise RedisClient::CannotConnectError, "connection refused" }
      end
    end

    assert_raises(RedisClient::CannotConnectError) { run.advance }
    assert_predicate run.reload, :running?
    assert_nil run.error
    assert_not_predicate run, :locked?
  end
end
