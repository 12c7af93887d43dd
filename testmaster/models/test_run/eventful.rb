# The timeline: events with their time, phase and subject.
module TestRun::Eventful
  def record_event(name, message, machine: nil, jvm: nil, phase: state, at: Time.current, **details)
    check_lock
    events.create! name: name, message: ForeignText.fit(message), phase: phase, machine: machine || jvm&.machine,
      jvm: jvm, details: details, created_at: at
  end

  # Returns every phase as [ { name:, state: "done" | "now" | "waiting" | "failed", started_at:, ended_at: } ].
  def phases
    entered = events.select { |event| event.name == "entered" }.to_h { |event| [ event.phase, event.created_at ] }
    last = entered.keys.last

    TestRun::Phase::NAMES.map do |phase|
      started = entered[phase]
      following = entered.values.find { |time| started && time > started }
      {
        name: phase, state: phase_state(phase, started, last), started_at: started,
          ended_at: started && (following || ended_at)
      }
    end
  end

  private
    def phase_state(phase, started, last)
      case
      when phase == failed_phase    then "failed"
      when started.nil?             then "waiting"
      when phase == last && !ended? then "now"
      else "done"
      end
    end
end
