require "test_helper"

class TestRun::Phase::Running::TriesTest < ActiveSupport::TestCase
  # A load client that accepts every rate, which is all that a search needs.
  OBEDIENT = "while :; do if [ -e command.txt ]; then line=$(cat command.txt); rm command.txt; " \
    "echo \"now;$line;OK;done\" >>command.txt.result; fi; sleep 0.05; done"

  setup do
    @folder = Pathname(Dir.mktmpdir)
    @run = begin_run
    @phase = @run.phase
  end

  teardown do
    @machine.shell.script! "remove_folder", @machine.directory, "us"
    @machine.close
    @folder.rmtree
  end

  test "each rate is sent, then judged" do
    start_client
    @phase.try_levels true
    assert_equal [ [ 100, "measuring" ] ], tries
    assert_equal [ [ "rate 100/s", [ "ok" ] ] ], commands
    progress "ok" => 1000, "ms" => 20_000
    @phase.try_levels true
    sample_each_second
    travel 12.seconds
    progress "ok" => 2000, "ms" => 30_000
    @phase.try_levels true

    assert_equal [ [ 100, "judged" ], [ 200, "measuring" ] ], tries
    assert_equal 100.0, @run.tries.first.figures["throughput"]
    assert_empty @run.tries.first.broken
    assert_match "100/s holds", @run.events.find_by!(name: "tried").message
  end

  test "a rate that a client refuses fails the run" do
    failure = assert_raises(Failure) { @phase.try_levels true }
    assert_match 'client_0 did not take "rate 100/s": it does not run', failure.message
    assert_empty tries
  end

  test "no rate is sent after the load has ended" do
    @run.update! load_starts_at: (@run.duration + 1).seconds.ago
    @run = TestRun.find(@run.id)
    @phase = @run.phase

    assert_nothing_raised { @phase.try_levels true }
    assert_empty commands
    assert_empty tries
  end

  test "a rate that comes too late does not fail the run" do
    ends = @run.load_starts_at + @run.duration
    travel_to ends - 1.second
    late = ->(*) { travel_to ends + 1.second }
    @phase.define_singleton_method(:resume_tries) { late.call; super() }

    assert_nothing_raised { @phase.try_levels true }
    assert_empty commands
  end

  test "a resumed run repeats the try in flight" do
    start_client
    point, = @run.experiment.search.next_try
    @run.tries.create! point: point, repetition: 1, state: "judged", measured_from: 1.minute.ago,
      measured_to: 50.seconds.ago, figures: { "errors" => 0.0 }
    point, = @run.experiment.reload.search.next_try
    @run.tries.create! point: point, repetition: 1, measured_from: 1.second.from_now, measured_to: 10.seconds.from_now
    progress "waiting" => 500

    @phase.try_levels true
    assert_equal [ [ 100, "judged" ] ], tries
    assert_equal [ "rate 100/s" ], commands.map(&:first), "the lowest rate until the backlog is gone"
    progress "waiting" => 3
    @phase.try_levels true
    assert_equal [ [ 100, "judged" ], [ 200, "measuring" ] ], tries
  end

  test "a backlog after too high a rate fails the run" do
    start_client
    point, = @run.experiment.search.next_try
    @run.tries.create! point: point, repetition: 1, state: "judged", broken: [ "errors = 0" ],
      measured_from: 1.minute.ago, measured_to: 50.seconds.ago
    progress "waiting" => 500
    2.times { @phase.try_levels true }
    travel 61.seconds

    failure = assert_raises(Failure) { @phase.try_levels true }
    assert_match(/\A500 requests still wait 60 s after a rate that was too high: 500 in the clients/, failure.message)
    assert_match "Let the search begin at a lower rate", failure.advice
  end

  test "too few figures to judge three tries fail the run" do
    start_client
    failure =
      assert_raises(Failure) do
        10.times do
          @phase.try_levels true
          travel 11.seconds
        end
      end
    assert_match "Clients reported too little to judge 3 tries", failure.message
    assert_empty tries
  end

  private
    def begin_run
      find = { "rate" => "100/s..800/s", "until" => [ "errors = 0" ] }
      experiment = Experiment.from_definition("name" => "Highest", "duration" => "10s", "warmup" => "0s",
        "cooldown" => "0s", "brokers" => [ { "scenario" => "Broker" } ],
        "clients" => [ { "scenario" => "OneWayClient" } ], "experiment" => { "find" => find, "repetitions" => 1 })
      experiment.update! creator: users(:experimenter), state: "running", launched_at: Time.current
      experiment.run_of_steps.tap do |run|
        run.update! experiment: experiment, attempt: 1, state: "running", launched_at: 1.minute.ago,
          load_starts_at: 1.minute.ago
        @machine = run.machines.create!(name: "local", role: "all", provider: run.provider, state: "ready",
          directory: @folder.join("run_1").to_s)
        @machine.shell.script! "make_folder", @machine.directory, "us"
        @machine.jvms.create! group_position: 0, role: "client", position: 0, state: "running"
        run.machines.reset
      end
    end

    def start_client
      folder = @folder.join("run_1/client_0").tap(&:mkpath)
      folder.join("obedient.sh").write OBEDIENT
      @machine.shell.start "sh obedient.sh", directory: folder.to_s, below: @machine.directory
    end

    # Sets the latest progress of the client.
    def progress(told)
      client = @phase.send(:clients).sole
      client.update! progress: client.progress.merge(told)
    end

    def sample_each_second
      (1..10).each { |second| @run.samples.create! at: second.seconds.from_now, figures: { "waiting" => 0 } }
    end

    def tries
      @run.tries.reload.in_order.map { |it| [ it.level, it.state ] }
    end

    def commands
      @run.commands.reload.order(:id).map { |command| [ command.line, command.replies.map(&:state) ] }
    end
end
