require "test_helper"

class TestRun::Phase::Running::CalibratingTest < ActiveSupport::TestCase
  # What machines measure in a test, by their names; a Failure is raised.
  FAKED, TESTED = {}, []
  Faked = Module.new do
    def measure_itself
      FAKED[:meanwhile]&.call
      FAKED.any? ? told("itself") : super
    end

    def free_ports(*)
      FAKED.any? ? [ 20_000 ] : super
    end

    def serve_network_test(*)
      FAKED.any? ? told("serves") : super
    end

    def test_network(server, *)
      return super if FAKED.empty?

      TESTED << [ name, server ]
      told "tests"
    end

    private
      def told(what)
        figures = FAKED.fetch([ name, what ], {})
        figures.is_a?(Failure) ? raise(figures) : figures.dup
      end
  end
  Machine.prepend Faked

  setup do
    @run = test_runs(:running)
    @alone = machines(:running_local)
    FAKED[[ "local", "itself" ]] = { processor: 2_400.0, flush: 100.0, flush_p99: 900.0, folder: "run" }
  end

  teardown { [ FAKED, TESTED ].each(&:clear) }

  test "one machine measures itself, once" do
    2.times { calibrate }

    calibration = @alone.reload.calibration
    assert_equal [ 2_400.0, 100.0, "127.0.0.1", [], nil ],
      [ calibration.processor, calibration.flush, calibration.site, calibration.gaps, calibration.network ]
    assert_equal [ "Calibrated local: fixed work 2.4 ms; flush 0.1 ms, p99 0.9 ms" ],
      @run.events.where(name: "calibrated").pluck(:message)
    assert_empty TESTED
  end

  test "a run that is cancelled meanwhile starts no load" do
    @run.jvms.client.update_all state: "ready"
    @run.update! load_starts_at: nil
    FAKED[:meanwhile] = -> { @run.cancel }

    assert_raises(Cancelled) { TestRun::Phase::Running.new(@run).send(:start_load) }
    assert_equal [ nil, true ], [ @run.reload.load_starts_at, @alone.reload.calibration.present? ]
  end

  test "what cannot be measured is a gap and no failure" do
    FAKED[[ "local", "itself" ]] = Machine::Unreachable.new("local does not respond")
    calibrate

    assert_equal [ "local does not respond" ], @alone.reload.calibration.gaps
    assert_equal "local is not calibrated completely: local does not respond",
      @run.events.where(name: "warning").last.message
  end

  test "machines with brokers test the network to the others, and keep the fastest test" do
    add_clients "10.0.0.2" => 1e8, "10.0.0.3" => 2e8
    calibrate

    assert_equal [ [ "10.0.0.2", "127.0.0.1" ], [ "10.0.0.3", "127.0.0.1" ] ], TESTED
    calibrations = @run.machines.map { |machine| machine.reload.calibration }
    assert_equal [ 2e8, 1e8, 2e8 ], calibrations.map(&:network)
    assert_equal [ "10.0.0.3", "127.0.0.1", "127.0.0.1" ], calibrations.map(&:peer)
  end

  test "a machine whose network could not be tested has a gap" do
    add_clients "10.0.0.2" => Failure.new("nothing listens at 127.0.0.1:20000"), "10.0.0.3" => 2e8
    calibrate

    assert_equal [ [ "Network: nothing listens at 127.0.0.1:20000" ] ] * 2 + [ [] ],
      @run.machines.map { |machine| machine.reload.calibration.gaps }
  end

  test "the reason of the listening end comes first" do
    add_clients "10.0.0.2" => Failure.new("nothing listens")
    FAKED[[ "local", "serves" ]] = Failure.new("Cannot assign requested address")
    calibrate

    assert_equal [ "Network: Cannot assign requested address" ], @alone.reload.calibration.gaps
  end

  test "without a broker's machine no network is tested" do
    @alone.jvms.broker.update_all role: "client"
    add_clients "10.0.0.2" => 1e8
    calibrate

    assert_empty TESTED
    assert_equal [ [ TestRun::Phase::Running::Calibrating::NOBODY ] ] * 2,
      @run.machines.map { |machine| machine.reload.calibration.gaps }
  end

  private
    def add_clients(networks)
      networks.each do |host, network|
        @run.machines.create! name: host, host: host, role: "client", provider: @run.provider, state: "ready"
        FAKED[[ host, "itself" ]] = FAKED[[ "local", "itself" ]]
        FAKED[[ host, "tests" ]] = network.is_a?(Failure) ? network :
          { round_trip: 100.0, round_trip_p99: 300.0, network: network }
      end
    end

    def calibrate
      @run.reload
      @run.phase.send :calibrate
    end
end
