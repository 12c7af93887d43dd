require "test_helper"

class Machine::CalibratableTest < ActiveSupport::TestCase
  include RunsHelper

  setup do
    @machine = machines(:running_local)
    @machine.update! directory: Dir.mktmpdir
    FileUtils.cp Build.of("HEAD").jar.path, @machine.directory
  end

  teardown { FileUtils.rm_rf @machine.directory }

  test "times the fixed piece of work and flushes" do
    found = @machine.measure_itself

    assert_equal "run", found[:folder]
    %i[ processor flush flush_p99 ].each { |name| assert_operator found[name], :>, 0, name }
    assert_empty Dir[File.join(@machine.directory, "calibration*")]
  end

  test "tests the network to another machine" do
    port, token = @machine.free_ports.first, SecureRandom.hex(16)
    server = Thread.new { @machine.serve_network_test port, token }
    found = @machine.test_network("127.0.0.1", port, token)
    server.join

    %i[ round_trip round_trip_p99 network ].each { |name| assert_operator found[name], :>, 0, name }
  end

  test "takes no nonsense of a machine" do
    [ "", "nonsense", "{", "[1]", %({"flush":3}), %({"flush":{"median_us":"1","p99_us":2}}),
      %({"flush":{"median_us":-1,"p99_us":2}}), %({"flush":{"median_us":1e30,"p99_us":2}}) ].each do |said|
      say said
      failure = assert_raises(Failure, said) { @machine.measure_itself }
      assert_match "did not report median_us of its calibration", failure.message
    end

    say %(12\nNaN\n1e9\n99999999999999\n{"flush":{"median_us":1,"p99_us":2}})
    assert_equal({ processor: 12.0, flush: 1.0, flush_p99: 2.0, folder: "run" }, @machine.measure_itself)
  end

  test "a jar that cannot measure leaves a gap" do
    File.write File.join(@machine.directory, "mlmq.jar"), "no jar"
    found = @machine.measure_itself

    assert_operator found[:processor], :>, 0
    assert_nil found[:flush]
    assert_equal [ "Error: Invalid or corrupt jarfile mlmq.jar" ], found[:gaps]
  end

  test "an old jar says so" do
    say "2400\n", status: 2, error: "Unmatched arguments from index 0: 'calibrate', '--flush', '.'\nUsage: mlmq COMMAND"
    gaps = @machine.measure_itself[:gaps]

    assert_equal [ "mlmq.jar of this revision cannot calibrate" ], gaps
    assert_not System.default.calibrates?(gaps)
  end

  test "counts loopback only where machines are addresses of this one" do
    { [ "all", "127.0.0.1" ] => nil, [ "broker", "127.0.1.2" ] => nil, [ "client", "10.0.0.1" ] => "lo" }
      .each do |(role, host), interface|
      assert_equal [ interface ], [ Machine.new(role: role, host: host).send(:uncounted_interface) ]
    end
  end

  private
    def say(text, status: 0, error: "")
      result = Machine::Shell::Result.new(status: status, output: text, error: error)
      @machine.define_singleton_method(:script) { |*, **| result }
    end
end
