# Follows the phases of the load. Clients lead themselves through them; this records when each begins, and ends one with
# until once its condition holds.
module TestRun::Phase::Running::LoadPhases
  AGAIN = 5 # seconds after which clients that are still in a phase are told again

  # The phase calls this once a second. sampled says whether all clients were observed in this second.
  def follow_load(sampled)
    number, begun_at = phase_of_load
    return unless number

    note_phases_of_load number, begun_at
    phase = load_phases[number - 1]
    end_phase_of_load phase if sampled && phase.until? && held?(phase) && !just_told?(phase)
  end

  # Says which condition has not held at all.
  def conclude_load
    number, begun_at = told_phases.max
    phase = load_phases[number - 1] if number
    return unless phase&.until?

    begun_at + phase.seconds > Time.current ? note_until_open(phase) : note_until_missed(phase)
  end

  private
    def load_phases
      @load_phases ||= test_run.load_plan.phases
    end

    # Returns the number of the phase that all clients at work have reached, and its begin.
    def phase_of_load
      client = clients.reject(&:over?).min_by { |it| it.progress["load_part"].to_i }
      number, ms = client&.progress&.values_at("load_part", "load_part_ms")
      [ number, Time.zone.at((ms - client.machine.clock_offset.to_f) / 1000.0).ceil(2) ] if
        ms && number.in?(1..load_phases.size)
    end

    # Short phases may have begun since the last look: each lasts as long as planned.
    def note_phases_of_load(number, begun_at)
      known = told_phases.keys.max.to_i
      (known + 1..number).each do |reached|
        phase, before = load_phases[reached - 1], load_phases[reached - 2]
        note_until_missed before if reached > 1 && before.until?
        at = begun_at - load_phases[reached - 1...number - 1].sum(&:seconds)
        record_event :load_phase, phase.title, number: reached, at: at
        told_phases[reached] = at
      end
    end

    # Returns { number => begin }, also of what another worker recorded.
    def told_phases
      @told_phases ||= events.where(name: "load_phase").order(:id)
        .to_h { |event| [ event.details["number"], event.created_at ] }
    end

    def held?(phase)
      condition = phase.condition
      condition.usual = usual_backlog
      recent = test_run.samples.chronologically.where(at: told_phases[phase.number]..)
        .where(at: (condition.seconds + AbortCondition::GAP).seconds.ago..).to_a
      recent.many? && condition.met_by?(recent)
    end

    # Returns the highest backlog of the first phase, if that is over.
    def usual_backlog
      first, second = told_phases.values_at(1, 2)
      @usual_backlog ||= test_run.samples.where(at: first..second)
        .maximum(Arel.sql("(figures ->> 'backlog')::float")) if second
    end

    def just_told?(phase)
      @told_at && @told_at[0] == phase.number && monotonic_now - @told_at[1] < AGAIN
    end

    # A machine may be out of sight for a moment: it is told again while its clients are in the phase.
    def end_phase_of_load(phase)
      at, groups, under_test = head_start.seconds.from_now, clients.reject(&:over?).group_by(&:machine), system
      told = on_machines(groups.keys, groups) do |machine, jvms|
        under_test.end_phase_of_load machine, jvms, phase.number, at.to_f * 1000 + machine.clock_offset.to_f
        true
      rescue Machine::Unreachable
        false
      end
      record_event :until_held, "#{phase.condition.text} holds, so the phase #{phase.name} ends",
        number: phase.number if told.values.any? && !known?("until_held", phase)
      @told_at = [ phase.number, monotonic_now ] if told.values.all?
    end

    def note_until_missed(phase)
      warn_of_until phase, "#{phase.title} ended after #{Duration.format(phase.seconds)}, its at_most"
    end

    def note_until_open(phase)
      warn_of_until phase, "The load ended in the phase #{phase.name}"
    end

    def warn_of_until(phase, words)
      record_event :warning, "#{words}: #{phase.condition.text} did not hold", number: phase.number unless
        [ "until_held", "warning" ].any? { |name| known?(name, phase) }
    end

    def known?(event, phase)
      events.where(name: event).exists?([ "details ->> 'number' = ?", phase.number.to_s ])
    end
end
