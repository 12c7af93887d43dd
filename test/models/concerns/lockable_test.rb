require "test_helper"

class LockableTest < ActiveSupport::TestCase
  setup { @run = test_runs(:running) }

  test "a taken lock skips the block" do
    with_other_connection do |other|
      other.exec "SELECT pg_advisory_lock(#{@run.send(:lock_key)})"

      assert_nil @run.holding_lock { flunk "two holders of one lock" }
      assert_predicate @run, :locked?
    end
  end

  test "the lock ends with its holder's connection" do
    with_other_connection do |other|
      other.exec "SELECT pg_advisory_lock(#{@run.send(:lock_key)})"
      IO.for_fd(other.socket, autoclose: false).then do |socket|
        BasicSocket.for_fd(socket.fileno).tap { |it| it.autoclose = false }.shutdown
      end

      await { !@run.locked? }
      assert_equal :done, @run.holding_lock { :done }
    end
  end

  test "a holder whose connection is lost is stopped" do
    with_other_connection do |other|
      other.exec "SELECT pg_advisory_lock(#{@run.send(:lock_key)})"

      assert_raises(Lockable::Lost) { @run.send :make_sure_of_lock }
    end
    assert_nil @run.holding_lock { @run.send :make_sure_of_lock }
  end

  test "every phase notices a lost lock" do
    phase = @run.phase
    { "an event" => -> { @run.record_event :x, "x" },
      "a step of collecting" => -> { phase.send(:attempt, "x") { flunk } },
      "a wait" => -> { phase.send(:await, within: 1) { false } },
      "a look at the wish to cancel" => -> { @run.check_cancellation },
        "machines at work" => -> { phase.side_by_side([ 1 ]) { sleep } },
        "the next phase" => -> { @run.enter "collecting" } }.each do |name, step|
      @run.instance_variable_set :@shown_life_at, nil
      @run.holding_lock do
        ApplicationRecord.connection.execute "SELECT pg_advisory_unlock_all()"
        assert_raises(Lockable::Lost, name) { step.call }
      end
    end
    assert_predicate @run.reload, :running?
  end

  test "locks for different purposes are independent" do
    with_other_connection do |other|
      other.exec "SELECT pg_advisory_lock(#{@run.send(:lock_key)})"

      assert_equal :done, @run.holding_lock(:examination) { :done }
    end
  end

  test "an error in the block releases the lock" do
    assert_raises(RuntimeError) { @run.holding_lock { raise "broken" } }

    assert_not_predicate @run, :locked?
  end

  private
    def with_other_connection
      pg = ApplicationRecord.connection.raw_connection
      connection = PG.connect(host: pg.host, port: pg.port, user: pg.user, password: pg.pass, dbname: pg.db)
      yield connection
    ensure
      connection.close
      await { !@run.locked? }
    end
end
