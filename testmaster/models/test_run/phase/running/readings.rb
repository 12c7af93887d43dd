# Stores the figures of machines, JVMs and the database for the charts. They come with the regular observation. A
# subject without new figures leaves a gap.
module TestRun::Phase::Running::Readings
  # A JVM of ours, or the server of another system, reports these figures.
  TOLD = %w[ heap queue cpu memory unacknowledged connections ]

  def take_readings
    return unless load_starts_at

    machines.each { |machine| read_machine machine }
    all_jvms.reject(&:over?).select(&:fresh?).each { |jvm| read_jvm jvm }
    book.save
  end

  # Counters of the database are read every few seconds. Their difference applies to each second since the reading
  # before.
  def read_database(counters)
    before, @counters = @counters, counters
    if load_starts_at && before && (figures = counters.since(before))
      book.add "database", figures, last(counters.seconds_since(before))
    end
  end

  private
    def read_machine(machine)
      seen = machine.measured
      if seen && seen.ms != last_ms[machine]
        last_ms[machine] = seen.ms
        book.add "machine:#{machine.name}", seen.figures, last(seen.seconds)
      end
    end

    def read_jvm(jvm)
      before, progress = progresses[jvm.name], jvm.progress
      return if progress["ms"] == before&.[]("ms")

      progresses[jvm.name] = progress
      book.add "jvm:#{jvm.name}", { **progress.slice(*TOLD), **collections(before, progress) }, last(1)
    end

    # Returns the share of time in garbage collections [%], and their number per second.
    def collections(before, progress)
      names = %w[ ms gc_ms gcs ]
      return {} unless [ before, progress ].all? { |said| said&.values_at(*names)&.all?(Numeric) }

      passed, spent, number = names.map { |name| (progress[name] - before[name]).to_f }
      return {} unless passed.positive?

      { "gc" => (spent / passed * 100).clamp(0, 100), "gcs" => (number / passed * 1000).clamp(0..) }
    end

    # Returns the last seconds until now, counted from the start of the load.
    def last(seconds)
      now = Time.current - load_starts_at
      (now - seconds)..now
    end

    def last_ms
      @last_ms ||= {}
    end

    def progresses
      @progresses ||= {}
    end

    def book
      @book ||= TestRun::Reading::Book.new(test_run)
    end
end
