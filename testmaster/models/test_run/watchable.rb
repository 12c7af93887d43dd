# Starts the load and looks on, once a second, until the last client has ended.
module TestRun::Watchable
  extend ActiveSupport::Concern

  HEAD_START = 0.8 # seconds from telling the start time until the start

  included do
    class_attribute :out_of_sight_at_most, default: 180 # seconds that a machine may be unreachable while the load goes on
  end

  private
    def watch
      observe clients
      start_load
      next_look = monotonic_now

      loop do
        heed_cancellation
        show_life
        observe_patiently deployed_jvms
        note_deaths
        sample
        count_in_database
        break if clients.all?(&:over?)
        heed_abort_conditions
        heed_spending_limit
        give_up_when_overdue
        next_look = [ next_look + interval, monotonic_now ].max
        sleep [ next_look - monotonic_now, 0 ].max
      end
      enter "collecting"
    end

    # All clients are told one start time, each by its own clock.
    def start_load
      waiting = clients.select(&:ready?)
      return if waiting.empty?

      update! load_starts_at: HEAD_START.seconds.from_now if load_starts_at.nil? || waiting.size == clients.size
      side_by_side(waiting.group_by(&:machine).to_a) do |machine, jvms|
        machine.tell jvms, "start #{(load_starts_at.to_f * 1000 + machine.clock_offset.to_f).round}"
      end
      record_event :load_started, "#{waiting.map(&:name).to_sentence} told to start at #{load_starts_at.utc.strftime("%T.%L")} UTC"
    end

    def observe(jvms)
      living = jvms.reject(&:over?)
      glances = side_by_side(living.group_by(&:machine).to_a) { |machine, group| machine.glance group.map(&:name) }
      glances.each { |(_, group), seen| group.each { |jvm| jvm.observe seen.fetch(jvm.name) } }
    end

    # JVMs run on without us, so a machine may be out of sight for a while.
    def observe_patiently(jvms)
      observe jvms
      @out_of_sight_since = nil
    rescue Machine::Unreachable => failure
      record_event :warning, "Out of sight: #{failure.message}", machine: failure.machine unless @out_of_sight_since
      @out_of_sight_since ||= monotonic_now
      raise if monotonic_now - @out_of_sight_since > out_of_sight_at_most
    end

    def note_deaths
      deployed_jvms.select(&:died?).each do |jvm|
        next if events.exists?(jvm: jvm, name: "died")

        record_event :died, jvm.last_words, jvm: jvm, exit_code: jvm.exit_code
        raise Failure.new(jvm.last_words, advice: jvm.advice, jvm: jvm, machine: jvm.machine) if when_jvm_dies == "fail"
      end
    end

    def sample
      latest = clients.map(&:progress).select { |progress| progress.key?("rate") }
      if latest.any?
        samples.create! at: Time.current, figures: client_figures(latest).merge("brokers" => broker_figures)
      end
    end

    # Rates and counts add up; the mean weighs by rate; percentiles cannot be added, so the worst is shown.
    def client_figures(latest)
      sums = %w[ rate ok errors late clients ].index_with { |name| latest.sum { |progress| progress[name].to_f }.then { |sum| name == "rate" ? sum.round(2) : sum.to_i } }
      weighted = latest.sum { |progress| progress["mean"].to_f * progress["rate"].to_f }
      sums.merge "mean" => sums["rate"].positive? ? (weighted / sums["rate"]).round(1) : nil, "p99" => latest.filter_map { |progress| progress["p99"] }.max
    end

    def broker_figures
      latest = brokers.reject(&:over?).map(&:progress)
      %w[ rate requests errors shed queue clients ].index_with { |name| latest.sum { |progress| progress[name].to_f }.then { |sum| name == "rate" ? sum.round(2) : sum.to_i } }
    end

    # Every ten seconds. Counters that cannot be read are missed, but the run goes on.
    def count_in_database
      return if @counted_at && monotonic_now - @counted_at < 10

      @counted_at = monotonic_now
      spool.mkpath
      run_database.count spool
    rescue Failure => failure
      record_event :warning, "The counters of the database cannot be read: #{failure.message}" unless @counters_failed
      @counters_failed = true
    end

    def interval
      Time.current < load_starts_at + duration ? 1 : 0.2
    end

    def give_up_when_overdue
      if Time.current > load_starts_at + duration + timeout
        late = clients.reject(&:over?)
        raise Failure.new("#{late.map(&:name).to_sentence} did not end within #{Duration.format(timeout)} after the load", jvm: late.first, machine: late.first.machine,
          advice: "Its logs in the zip show what it waited for.")
      end
    end
end
