require "test_helper"

class LockableTest < ActiveSupport::TestCase
  setup { @run = test_runs(:running) }

  test "who finds the lock taken leaves without doing anything" do
    elsewhere do |other|
      other.exec "SELECT pg_advisory_lock(#{@run.send(:lock_key)})"

      assert_nil @run.holding_lock { flunk "two at work on one run" }
      assert_predicate @run, :locked?
    end
  end

  test "the lock ends with the connection of its holder, however that dies" do
    elsewhere do |other|
      other.exec "SELECT pg_advisory_lock(#{@run.send(:lock_key)})"
      IO.for_fd(other.socket, autoclose: false).then do |socket|
        BasicSocket.for_fd(socket.fileno).tap { |it| it.autoclose = false }.shutdown
      end

      await { !@run.locked? }
      assert_equal :done, @run.holding_lock { :done }
    end
  end

  test "who has lost it with the connection notices, and does not go on" do
    elsewhere do |other|
      other.exec "SELECT pg_advisory_lock(#{@run.send(:lock_key)})"

      assert_raises(Lockable::Lost) { @run.send :make_sure_of_lock }
    end
    assert_nil @run.holding_lock { @run.send :make_sure_of_lock }
  end

  test "that it is lost is noticed in every phase, by whatever is done next" do
    phase = @run.phase
    { "an event" => -> { @run.record_event :x, "x" },
      "a step of collecting" => -> { phase.send(:attempt, "x") { flunk } },
      "a wait" => -> { phase.send(:await, within: 1) { false } },
      "a look at the wish to cancel" => -> { @run.heed_cancellation },
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

  test "locks for other purposes are others" do
    elsewhere do |other|
      other.exec "SELECT pg_advisory_lock(#{@run.send(:lock_key)})"

      assert_equal :done, @run.holding_lock(:examination) { :done }
    end
  end

  test "it is free again after its holder has failed" do
    assert_raises(RuntimeError) { @run.holding_lock { raise "broken" } }

    assert_not_predicate @run, :locked?
  end

  private
    def elsewhere
      pg = ApplicationRecord.connection.raw_connection
      connection = PG.connect(host: pg.host, port: pg.port, user: pg.user, password: pg.pass, dbname: pg.db)
      yield connection
    ensure
      connection.close
      await { !@run.locked? }
    end
end
