require "test_helper"
require "minitest/mock"

class TestRun::Phase::RunningTest < ActiveSupport::TestCase
  FAKED = {}
  FakedGlances = Module.new do
    def glance(names, *)
      FAKED.any? ? FAKED.fetch(name,
        ->(_) { names.index_with { Machine::Glanceable::Glance.new(state: "alive") } }).call(names) : super
    end
  end
  Machine.prepend FakedGlances

  teardown { FAKED.clear }

  setup do
    @run = test_runs(:running)
    @phase = @run.phase
    @run.samples.delete_all
    @brokers, @clients = @run.brokers, @run.clients
    [ *@brokers, *@clients ].each(&:touch)
  end

  test "an ended client has counts but no rate" do
    @clients.first.update! state: "exited", exit_code: 0
    assert_equal [ 140.2, 15, 8400 ], sampled.values_at("rate", "clients", "ok")

    @clients.second.update! state: "failed", exit_code: 137
    assert_equal [ nil, nil, 0, 8400 ], sampled.values_at("rate", "p99", "clients", "ok")
    assert_empty @clients.map { |client| client.figures.slice("rate", "p99", "clients") }.inject(:merge)
  end

  test "clients without responses have no response times" do
    @clients.each do |client|
      client.update! progress: client.progress.merge("rate" => 0.0, "mean" => 0.0, "p99" => 0.0)
    end
    assert_equal [ 0.0, nil, nil, 8400 ], sampled.values_at("rate", "mean", "p99", "ok")
  end

  test "messages count where all clients report them" do
    counts = { "sent" => 30, "received" => 20, "takes" => 25, "empty_takes" => 5 }
    @clients.first.update! progress: @clients.first.progress.merge(counts)
    assert_empty sampled.slice(*counts.keys)

    @clients.second.update! progress: @clients.second.progress.merge(counts)
    assert_equal counts.transform_values { |count| 2 * count }, sampled.slice(*counts.keys)
  end

  test "messages are counted again when each client has reported again" do
    counts = { "sent" => 30, "received" => 20, "takes" => 25, "empty_takes" => 5 }
    at = ->(client, ms) { client.update! progress: client.progress.merge(counts, "ms" => ms) }
    @clients.each { |client| at.call client, 1_000 }
    assert_equal 1_000, sampled["counted_ms"]

    at.call @clients.first, 2_000
    assert_empty sampled.slice("sent", "counted_ms")

    at.call @clients.second, 2_200
    assert_equal [ 60, 2_100 ], sampled.values_at("sent", "counted_ms")
  end

  test "a client that has ended does not shorten the time of a try" do
    @clients.each { |client| client.update! progress: client.progress.merge("ms" => 5_000) }
    @clients.first.update! state: "failed", exit_code: 137
    @clients.second.update! progress: @clients.second.progress.merge("ms" => 15_000)

    assert_equal 15_000, @phase.send(:counted)["ms"]
  end

  test "end-to-end times are those of one clock" do
    @clients.each_with_index do |it, n|
      it.update! progress: it.progress.merge("e2e_p99" => n * 900, "ack_p99" => n * 1_000)
    end
    assert_equal [ 900, 1_000 ], sampled.values_at("e2e_p99", "ack_p99")

    machine("other", @clients.first) { {} }
    @clients.each(&:touch)
    assert_nil sampled["e2e_p99"]
  end

  test "end-to-end times of two clocks are told where their error is smaller" do
    machine("other", @clients.first) { {} }
    @clients.each { |it| it.update! progress: it.progress.merge("e2e_p99" => 900, "clock_offset_ms" => 2.5) }
    @clients.zip([ 0.5, 0.4 ]) { |client, error| client.machine.update! clock_error: error }
    assert_equal 900, sampled["e2e_p99"]

    @clients.first.machine.update! clock_error: 0.6
    assert_nil sampled["e2e_p99"], "known to 1 ms only"

    @clients.first.machine.update! clock_error: 0.5
    @clients.second.update! progress: @clients.second.progress.except("clock_offset_ms")
    assert_nil sampled["e2e_p99"], "a client of an earlier revision does not correct its clock"
  end

  test "what a clock changes by during the load is part of its error" do
    machine("other", @clients.first) { {} }
    drifting, silent = @clients.map(&:machine)
    [ drifting, silent ].each { |it| it.update! clock_offset: 4, clock_error: 0.5 }
    clock_of(drifting) { { clock_offset: 6.5, clock_error: 0.25 } }
    clock_of(silent) { raise Failure, "no answer" }
    @phase.stub(:clients, @clients) { @phase.send :compare_clocks }

    assert_equal [ 2.75, nil ], [ drifting, silent ].map { |it| it.reload.clock_error }
  end

  test "the worst p99 is of clients that report one" do
    silent, other = @clients
    silent.update! progress: silent.progress.except("p99")
    assert_equal other.progress["p99"], sampled["p99"]
  end

  test "a silent client makes a gap" do
    @clients.first.update_columns updated_at: 10.seconds.ago

    assert_no_difference(-> { @run.samples.count }) { assert_nil @phase.send(:sample) }
    assert_nil @clients.first.figures["rate"]
  end

  test "unreachable brokers make a gap in their figures" do
    @brokers.first.update_columns updated_at: 10.seconds.ago
    assert_equal 280.4, sampled["rate"]
    assert_nil sampled["brokers"]
  end

  test "a silent client is an event, and its return another" do
    silent, other = @clients
    silent.update_columns updated_at: 10.seconds.ago
    2.times { note_silences }
    assert_equal [ [ silent.id,
      "#{silent.name} runs but has reported nothing for 10 s. No figures are kept until it reports again" ] ],
      told(:silent)

    silent.touch
    2.times { note_silences }
    assert_equal [ [ silent.id, "#{silent.name} reports again after 10 s" ] ], told(:heard)
    other.update! state: "exited", exit_code: 0, updated_at: 10.seconds.ago
    note_silences
    assert_equal 1, told(:silent).size
  end

  test "a late event of a death has the time of the death" do
    machine("back", @clients.first) do |names|
      names.index_with { Machine::Glanceable::Glance.new(state: "exited", exit_code: 137, age: 200_000) }
    end
    look
    assert_raises(Failure) { @phase.send :note_deaths }

    assert_in_delta 200, Time.current - @run.events.find_by(name: "died").created_at, 60
  end

  test "a JVM's end time is bounded despite wrong clocks" do
    @clients.first.update! started_at: 5.minutes.ago
    assert_equal @clients.first.started_at, exited(10**12).exited_at
    assert_in_delta Time.current, exited(-10**12).exited_at, 60
  end

  test "a client on an unreachable machine is not silent" do
    machine("away", @clients.first) { |_| raise Machine::Unreachable, "10.0.0.9 does not answer" }
    @clients.first.update_columns updated_at: 10.seconds.ago
    look
    note_silences

    assert_empty told(:silent)
  end

  test "a machine that stays unreachable ends the run" do
    machine("away", @clients.first) { |_| raise Machine::Unreachable, "10.0.0.9 does not answer" }
    machine("here", @clients.second) { |names| names.index_with { glance rate: 50, ms: Time.current.to_f } }
    2.times { look }

    assert_equal [ 50, true ], [ @clients.second.progress["rate"], @clients.second.fresh? ]
    assert_equal [ "Unreachable: 10.0.0.9 does not answer" ], @run.events.where(name: "warning").pluck(:message)
    @phase.out_of_sight_at_most = 0
    assert_match "does not answer", assert_raises(Machine::Unreachable) { look }.message
  end

  test "a slow machine is not awaited" do
    gate = Queue.new
    machine("slow", @clients.first) { |names| gate.pop && names.index_with { glance rate: 7 } }
    look within: 0.05
    assert_equal 140.2, @clients.first.progress["rate"]

    gate << true
    await(within: 5) { look within: 0.05; @clients.first.progress["rate"] == 7 }
  ensure
    gate << true
    @phase.send(:lookout).close
  end

  test "an sshd that penalizes is not retried at once" do
    asked, rested = Queue.new, Queue.new
    machine("strict", @clients.first) { |_| asked << true; raise Machine::Penalized, "Not allowed at this time" }
    @phase.define_singleton_method(:sleep) { |seconds| rested.pop }
    3.times { look within: 0.05 }
    assert_equal 1, asked.size

    rested << true
    look
    assert_equal [ "Unreachable: Not allowed at this time" ], @run.events.where(name: "warning").pluck(:message)
  ensure
    @phase.send(:lookout).close
  end

  test "the provider's explanation ends the run at once" do
    machine("gone", @clients.first) { |_| raise Machine::Unreachable, "no answer" }
    @run.provider.define_singleton_method(:explain) { |_| Provider::Error.new("the instance was terminated") }

    assert_match "was terminated", assert_raises(Provider::Error) { look }.message
  end

  private
    def sampled
      @phase.send(:sample).figures
    end

    def exited(age)
      @clients.first.tap do |client|
        client.exited_at = nil
        client.observe Machine::Glanceable::Glance.new(state: "exited", exit_code: 137, age: age)
      end
    end

    def look(**options)
      @phase.send :look, within: 5, **options
    end

    def note_silences
      @phase.send :note_silences_in_sight
    end

    def told(name)
      @run.events.where(name: name).pluck(:jvm_id, :message)
    end

    def clock_of(machine, &now)
      machine.define_singleton_method(:measure_clock, &now)
    end

    # Moves a client to a new machine, where the block returns what a glance sees. The other machine stays as it is.
    def machine(name, client, &seen)
      client.update! machine: @run.machines.create!(name: name, role: "client", provider: @run.provider, state: "ready",
        directory: "/nowhere")
      @run.machines.reset
      @brokers, @clients = @run.brokers, @run.clients
      FAKED[name] = seen
    end

    def glance(**progress)
      Machine::Glanceable::Glance.new(state: "alive", line: { state: "measuring", ok: 1, **progress }.to_json)
    end
end
