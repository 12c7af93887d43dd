# Reads the facts of a machine, and the offset of its clock with the greatest error that it can have.
module Machine::Knowable
  # Clock offsets in ms: those that are reported, and those that make logs of different machines incomparable.
  NOTABLE_OFFSET, HOPELESS_OFFSET = 50, 10_000
  WELL_KNOWN = 5 # ms of a round trip: times of messages between machines are in doubt by half of it
  CLOCK_ADVICE =
    "Let chrony or ntp keep it (timedatectl shows whether one does), so that times of different machines can be " \
      "compared."

  FACTS_WITHIN, CLOCK_WITHIN = 30, 10 # seconds: a user may wait at a page for the facts of a provider's hosts
  MOMENT = /\A(\d{16})\n?\z/ # us

  # The names of the facts that a machine may report.
  KNOWN = Machine::Shell::Scripts.texts.fetch("facts").scan(/^echo "(\w+)=/).flatten

  # system is the one under test. roles are those of its JVMs.
  def knowledge(system = System.default, roles = Jvm::ROLES)
    { facts: facts.merge(ask_facts(system, roles)), **(provider.one_machine? ? { clock_offset: 0 } : measure_clock) }
  end

  def clock_off?
    clock_offset.abs - clock_error.to_f > NOTABLE_OFFSET
  end

  def clock_hopeless?
    clock_offset.abs - clock_error.to_f > HOPELESS_OFFSET
  end

  # Compares the clock once more, and returns the greatest error that the offset has had since [ms]; nil if the machine
  # does not respond. When the clock changed is unknown, so the error includes the whole change.
  def clock_error_since
    now = measure_clock
    [ clock_error, (now[:clock_offset] - clock_offset).abs + now[:clock_error] ].max.round(3)
  rescue Failure
    nil
  end

  # Returns a text such as "The clock of brokers_0_0 is 75 ms ahead of ours".
  def clock_in_words
    offset = clock_offset.abs < 1000 ? "#{clock_offset.abs.round} ms" : "#{(clock_offset.abs / 1000).round(1)} s"
    "The clock of #{name} is #{offset} #{clock_offset.positive? ? "ahead of" : "behind"} ours"
  end

  # Returns a text such as "2 CPUs, 7.8 GB, OpenJDK 17".
  def description
    [ "#{facts["cpus"]} CPUs", "#{(facts["memory"].to_f / 1024**2).round(1)} GB", facts["java"] ].join(", ")
  end

  private
    def ask_facts(system, roles)
      facts_told.tap do |known|
        lack, advice = system.lacking(known, roles)
        raise Failure.new("#{lack} on #{name}", machine: self, advice: advice) if lack
      end
    end

    # The first value of a repeated fact counts.
    def facts_told
      shell.script!("facts", timeout: FACTS_WITHIN).output.each_line.with_object({}) do |line, known|
        name, value = line.byteslice(0, 4 * Machine::Limits::FACT).scrub.split("=", 2)
        known[name] ||= ForeignText.fit(value.chomp, Machine::Limits::FACT) if value && name.in?(KNOWN)
      end
    end

    # The fastest response is the most exact: its error is at most half its round trip. A busy machine is asked more
    # often, as a slow response would look like a wrong clock.
    def measure_clock
      answers = Array.new(3) { ask_clock }
      answers << ask_clock until answers.size == 12 || answers.min_by(&:first).first * 1000 < WELL_KNOWN ||
        answers.sum(&:first) > CLOCK_WITHIN
      round_trip, clock_offset = answers.min_by(&:first)
      { clock_offset:, clock_error: (round_trip * 500).round(3) }
    end

    def ask_clock
      asked = Time.current
      told = shell.execute!("date +%s%6N", timeout: CLOCK_WITHIN).output.to_s
      answered = Time.current
      theirs = told.valid_encoding? && told[MOMENT, 1]&.to_i or raise Failure.new("#{name} did not report its time",
        machine: self, advice: "'date +%s%6N' must print a number of 16 digits there.")
      [ answered - asked, (theirs / 1000.0 - (asked.to_f + answered.to_f) * 500).round(3) ]
    end
end
