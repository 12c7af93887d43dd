require "test_helper"

class Provider::SweepTest < ActiveSupport::TestCase
  setup { @left = machines(:finished_local).tap { |machine| machine.update! state: "ready" } }

  test "a provider that is being swept is left to who sweeps it" do
    pg = ApplicationRecord.connection.raw_connection
    other = PG.connect(host: pg.host, port: pg.port, user: pg.user, password: pg.pass, dbname: pg.db)
    other.exec "SELECT pg_advisory_lock(#{providers(:local).send(:lock_key)})"

    assert_match "is being swept already", Provider::Sweep.perform.complaints.sole
    assert_predicate @left.reload, :ready?
  ensure
    other.exec "SELECT pg_advisory_unlock_all()" # the server may take a while to notice that a connection has ended
    other.close
  end

  test "machines are given back side by side, and one that cannot be does not keep the others" do
    second, third = Array.new(2) do |n|
      Machine.create!(name: "other_#{n}", role: "all", provider: @left.provider, state: "ready")
    end
    all_begun = Concurrent::CountDownLatch.new(3)
    slow = Module.new do
      define_method(:release) do |machine|
        all_begun.count_down
        raise Failure, "one waits for the other" unless all_begun.wait(60)
        raise Machine::Unreachable, "no answer" if machine == third
      end
    end
    Provider::Local.prepend slow
    sweep = Provider::Sweep.perform

    assert_equal [ @left, second ], sweep.released.sort_by(&:name)
    assert_equal [ "local: no answer." ], sweep.complaints
    assert_equal %w[ released released releasing ], [ @left, second, third ].map { |machine| machine.reload.state }
  ensure
    slow.remove_method :release
  end
end
