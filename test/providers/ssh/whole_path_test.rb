require "test_helper"

class Provider::Ssh::WholePathTest < ActiveSupport::TestCase
  include LoopbackHostsHelper, RunsHelper

  setup do
    @provider = Provider::Ssh.create!(name: "ssh", hosts: loopback_hosts.hosts.join("\n"),
      private_key: File.read(loopback_hosts.client_key_path))
  end

  teardown do
    TestRun::Phase::Running.out_of_sight_at_most = 180
    loopback_hosts.start
    @provider.machines.held.each(&:release)
  end

  test "a run on three hosts leaves nothing on them" do
    run = run_through(build_run(provider: "ssh", **TWO_OF_EACH))

    assert_predicate run, :finished?, run.error
    assert_equal %w[ 127.0.1.1 127.0.1.2 127.0.1.3 ], run.machines.map(&:host).sort
    assert_operator run.latest_sample.figures["ok"], :>, 0
    assert_nothing_left_on_hosts run
    assert_calibrated run

    files = contents_of(run.archive)
    run.jvms.each do |jvm|
      assert_match(/^\d+;\d+;\w/, files["logs/#{jvm.machine.name}/#{jvm.name}/performance_#{jvm.name}.log"])
    end
    assert_no_match(/PRIVATE KEY/, files.values.join)
    assert_clients_correct_their_clocks run, files
  end

  test "a dead host ends the run and keeps others' logs" do
    run = build_run(provider: "ssh", duration: "20s", **TWO_OF_EACH)
    assert run.launch, run.errors.full_messages.to_sentence
    run.advance until run.running?
    TestRun::Phase::Running.out_of_sight_at_most = 1
    victim = run.machines.find_by!(role: "client")
    loopback_hosts.stop victim.host
    run.advance while run.at_work?

    assert_predicate run, :failed?
    assert_match victim.host, run.error
    assert_equal [ victim ], @provider.machines.held
    (run.machines - [ victim ]).flat_map(&:jvms).each do |jvm|
      assert contents_of(run.archive).key?("logs/#{jvm.machine.name}/#{jvm.name}/#{jvm.name}.log")
    end

    loopback_hosts.start
    @provider.sweep
    assert_nothing_left_on_hosts run
  end

  test "a clock far off ends the run, a small skew warns" do
    loopback_hosts.shift_clock "127.0.1.2", 2
    run = provisioned
    assert_predicate run, :deploying?, run.error
    assert_offset 2, "ahead of", run.events.find_by!(name: "warning",
      machine: run.machines.find_by!(host: "127.0.1.2")).message
    run.machines.each(&:release)

    loopback_hosts.shift_clock "127.0.1.2", -3600
    run = provisioned
    assert_equal [ "collecting", "provisioning" ], [ run.state, run.failed_phase ]
    assert_offset 3600, "behind", run.error
    assert_match "chrony", run.advice
    assert_equal "127.0.1.2", run.events.find_by(name: "failed").machine.host
    assert_equal "failed", @provider.check.second.state

    run.advance while run.at_work?
    assert_nothing_left_on_hosts run
  ensure
    loopback_hosts.shift_clock "127.0.1.2", 0
  end

  private
    def assert_calibrated(run)
      calibrations = run.machines.map(&:calibration)
      assert_empty calibrations.flat_map(&:gaps)
      assert_equal run.machines.map(&:host).sort, calibrations.map(&:site).sort
      calibrations.each { |it| assert_operator [ it.processor, it.flush, it.round_trip, it.network ].min, :>, 0 }
      run.examine
      assert_includes run.figures["checks"].pluck("check"), "Network not the limit"
      assert_operator run.figures["exact"]["network"], :>, 0
    end

    # A slow response makes the offset uncertain.
    def assert_offset(seconds, direction, words)
      found = words.match(/\AThe clock of \w+ is (\d+\.\d) s #{direction} ours\z/) or flunk words
      assert_in_delta seconds, found[1].to_f, 1
    end

    # Each client tells the offset that it used. The errors of both machines are part of what is told.
    def assert_clients_correct_their_clocks(run, files)
      machines = run.clients.map(&:machine).uniq
      assert_equal 2, machines.size
      run.clients.each do |jvm|
        summary = JSON.parse(files.find { |name, _| name.end_with?("/summary_#{jvm.name}.json") }.last)
        assert_equal jvm.machine.clock_offset, summary.dig("e2e", "clock_offset_ms")
      end
      run.examine
      exact = run.figures["exact"]
      assert_in_delta machines.sum(&:clock_error) * 1_000, exact["e2e_p99_clock_error"], 1 if exact["e2e_p99"]
    end

    def provisioned
      build_run(provider: "ssh", **TWO_OF_EACH).tap do |run|
        assert run.launch, run.errors.full_messages.to_sentence
        run.advance while run.state.in? %w[ queued building provisioning ]
      end
    end

    def assert_nothing_left_on_hosts(run)
      assert_empty @provider.machines.held
      loopback_hosts.hosts.each do |host|
        refute_path_exists "#{host.home}/testmaster/run_#{run.id}"
        assert_empty processes_in("#{host.home}/testmaster")
      end
    end
end
