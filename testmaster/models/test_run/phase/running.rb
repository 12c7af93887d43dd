# Starts the load and observes it once a second until the last client has ended. It needs ready JVMs. Performed again,
# it does not start clients again, and continues to observe.
class TestRun::Phase::Running < TestRun::Phase
  include Calibrating, LoadPhases, Readings, Silences, Tries

  # Seconds between sending the start time and the start; on one machine sending takes milliseconds.
  HEAD_START, HEAD_START_HERE = 0.8, 0.4
  FRACTIONS = %w[ rate cpu ]
  PENALTY = 10 # seconds
  FIRST_LOOK, LOOK = 20, 2 # seconds that machines have to respond before the others are sampled without them

  class_attribute :out_of_sight_at_most, default: 180 # seconds that a machine may be unreachable while the load goes on
  class_attribute :quiet_within, default: 60 # seconds to wait for the run before of the experiment

  delegate :load_starts_at, :duration, :timeout, to: :test_run

  def perform
    look within: FIRST_LOOK
    start_load
    next_look, steps = monotonic_now, test_run.steps?

    loop do
      check_cancellation
      look
      note_deaths
      note_silences_in_sight
      measured = sample
      count_in_database
      take_readings
      break if clients.all?(&:over?)
      test_run.check_abort_conditions if measured
      follow_load measured
      try_levels measured if steps
      test_run.check_limits
      give_up_when_overdue
      next_look = [ next_look + interval, monotonic_now ].max
      sleep [ next_look - monotonic_now, 0 ].max
    end
    conclude_load
    compare_clocks
    enter_next
  ensure
    lookout.close
  end

  private
    # All clients get one start time, converted to the clock of each machine.
    def start_load
      waiting = clients.select(&:ready?)
      return if waiting.empty?

      await_quiet
      calibrate
      check_cancellation
      begins = load_starts_at.nil? || waiting.size == clients.size
      test_run.update! load_starts_at: head_start.seconds.from_now if begins
      starts_at = load_starts_at.to_f * 1000
      groups, under_test = waiting.group_by(&:machine), system
      on_machines(groups.keys, groups) do |machine, jvms|
        under_test.start_load machine, jvms, starts_at + machine.clock_offset.to_f
      end
      time = load_starts_at.utc.strftime("%T.%L")
      record_event :load_started, "#{waiting.map(&:name).to_sentence} start the load at #{time} UTC"
    end

    # A clock that was set or drifted during the load makes times between machines less exact.
    def compare_clocks
      compared = on_machines(clients.map(&:machine).uniq.select(&:clock_error), &:clock_error_since)
      compared.each { |machine, error| machine.update! clock_error: error }
    end

    def head_start
      provider.one_machine? ? HEAD_START_HERE : HEAD_START
    end

    def await_quiet
      return if await(within: quiet_within) { test_run.quiet? }

      record_event :warning, "The run before is still being collected or examined on this machine after " \
        "#{quiet_within} s, which may disturb the figures"
    end

    def look(within: LOOK)
      groups = all_jvms.reject(&:over?).group_by(&:machine)
      groups.each_key(&:shell)
      names, knowing, times = groups.transform_values { |jvms| jvms.map(&:name) }, provider, system.times
      seen = lookout.look(groups.keys, within: within) do |machine|
        glance_at machine, names.fetch(machine), times, knowing
      end
      groups.each { |machine, jvms| take_in machine, jvms, seen[machine] }
    end

    def lookout
      @lookout ||= Lookout.new
    end

    # The provider may know why a machine does not respond.
    def glance_at(machine, names, times, provider)
      machine.glance names, times
    rescue Machine::Penalized => failure
      sleep PENALTY # in its own thread; a further connection would prolong the penalty
      failure
    rescue Failure => failure
      provider.explain failure
    end

    def take_in(machine, jvms, seen)
      case seen
      when Hash
        note_in_sight machine
        jvms.each { |jvm| jvm.observe seen.fetch(jvm.name) }
      when nil, Machine::Unreachable
        note_out_of_sight machine, seen
      else
        raise seen
      end
    end

    # JVMs work without the Testmaster, so a machine may be unreachable for a while.
    def note_out_of_sight(machine, failure)
      absence = absences[machine] ||= { since: monotonic_now }
      absence[:told] ||= record_event(:warning, "Unreachable: #{failure.message}", machine: machine) if failure

      if monotonic_now - absence[:since] > out_of_sight_at_most
        silence = "#{machine.name} (#{machine.host}) has not responded for #{out_of_sight_at_most} s"
        raise failure || Machine::Unreachable.new(silence, machine: machine)
      end
    end

    def note_in_sight(machine)
      absence = absences.delete(machine)
      return unless absence&.key?(:told)

      record_event :in_sight, "Reachable again after #{(monotonic_now - absence[:since]).round} s", machine: machine
    end

    def note_silences_in_sight
      note_silences all_jvms.reject { |jvm| absences.key?(jvm.machine) }
    end

    def absences
      @absences ||= {}
    end

    def note_deaths
      all_jvms.select(&:died?).each do |jvm|
        next if events.exists?(jvm: jvm, name: "died")

        words = jvm.last_words
        record_event :died, words, jvm: jvm, exit_code: jvm.exit_code, at: jvm.exited_at
        if test_run.when_jvm_dies == "fail"
          raise Failure.new(words, advice: jvm.advice(words), jvm: jvm, machine: jvm.machine)
        end
      end
    end

    # A missing value is a gap: if one client is unreachable or silent, the total rate is unknown.
    def sample
      if clients.reject(&:over?).all?(&:fresh?) && clients.any? { |client| client.progress.key?("rate") }
        test_run.samples.create! at: Time.current, figures: { **client_figures, "brokers" => broker_figures,
          "times" => times_since_last_sample }.compact
      else
        test_run.refresh_pages
        nil
      end
    end

    # Rates and counts are summed; the mean is weighted by the rate; percentiles cannot be added, so the worst counts. A
    # client that has ended has no rate, but keeps its counts. A client without responses has no response times.
    def client_figures
      counts = sums_of(clients, %w[ ok errors late ])
      working = clients.reject(&:over?)
      counts.merge! counts_of_messages(working),
        { "backlog" => backlog.told(clients), "lowest" => backlog.lowest }.compact
      return { **counts, "clients" => 0 } if working.empty?

      sums = sums_of(working, %w[ rate clients waiting ])
      answered = working.map(&:progress).select { |progress| progress["rate"].to_f.positive? }
      weighted = answered.sum { |progress| progress["mean"].to_f * progress["rate"] }
      mean = (weighted / answered.sum { |progress| progress["rate"] }).round(1) if answered.any?
      { **counts, **sums, "mean" => mean, "p99" => answered.filter_map { |progress| progress["p99"] }.max,
        **%w[ e2e_p99 ack_p99 ].index_with { |name| time_of_messages(working, name) } }.compact
    end

    # Returns the worst p99; nil if the clocks of the clients' machines are known less exactly.
    def time_of_messages(clients, name)
      worst = clients.filter_map { |client| client.progress[name] }.select(&:positive?).max
      worst if worst && worst >= clock_error_between(clients)
    end

    # Returns how wrong times between two clients may be [us]: no client knows the machine of a sender, so the two
    # machines whose clocks are known least count.
    def clock_error_between(clients)
      machines = clients.map(&:machine).uniq
      return 0 if machines.one? || clients.all? { |it| it.group.setting("pairing") == "own" }
      return Float::INFINITY unless clients.all? { |it| it.progress["clock_offset_ms"] && it.machine.clock_error }

      machines.map(&:clock_error).max(2).sum * 1000
    end

    # Returns what all clients have counted, and when [ms by their clocks]. It is unknown until each of those at work
    # has reported again: between two samples, a client's counts grow by what it did between two lines.
    def counts_of_messages(working)
      told = working.to_h { |client| [ client.id, client.progress["ms"] ] }
      return {} if told.empty? || told.any? { |id, ms| ms.nil? || ms == @counted_ms&.[](id) }
      return {} unless told_by_all(MessageRates::COUNTS) == MessageRates::COUNTS

      @counted_ms = told
      { **sums_of(clients, MessageRates::COUNTS), "counted_ms" => told.values.sum / told.size }
    end

    # Clients of earlier versions do not count messages.
    def told_by_all(names)
      names.select { |name| clients.all? { |client| client.progress.key?(name) } }
    end

    # Returns response times over all clients, if a condition to abort the run needs them.
    def times_since_last_sample
      asked = test_run.definition.figures_to_abort_by.select(&:rank)
      seconds.told(clients, asked) if asked.any?
    end

    def backlog
      @backlog ||= Backlog.new filled: test_run.database_settings["fill"].present?,
        lowest: test_run.latest_sample&.figures&.dig("lowest")
    end

    def seconds
      @seconds ||= Seconds.new
    end

    def broker_figures
      working = brokers.reject(&:over?)
      told = system.broker_figures.select { |name| working.any? { |broker| broker.progress.key?(name) } }
      sums_of working, told if working.any? && working.all?(&:fresh?)
    end

    def sums_of(jvms, names)
      names.index_with do |name|
        sum = jvms.sum { |jvm| jvm.progress[name].to_f }
        name.in?(FRACTIONS) ? sum.round(2) : sum.to_i
      end
    end

    # Counters are read every ten seconds. The run continues if they cannot be read.
    def count_in_database
      return if !test_run.in_database? || @counted_at && monotonic_now - @counted_at < 10

      @counted_at = monotonic_now
      spool.mkpath
      run_database.count(spool)&.then { |counters| read_database counters }
    rescue Failure => failure
      record_event :warning, "The counters of the database cannot be read: #{failure.message}" unless @counters_failed
      @counters_failed = true
    end

    def interval
      (load_starts_at + duration - Time.current).clamp(0.2, 1)
    end

    def give_up_when_overdue
      if Time.current > load_starts_at + duration + timeout
        late = clients.reject(&:over?)
        words = "#{late.map(&:name).to_sentence} did not end within #{Duration.format(timeout)} after the load"
        raise Failure.new(words, jvm: late.first, machine: late.first.machine,
          advice: "Its logs in the zip show what it waited for.")
      end
    end
end
