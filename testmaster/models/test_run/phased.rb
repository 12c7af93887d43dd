# The life of a run, from phase to phase. Each phase is a job of its own, and any phase may be performed again after a
# crash. The way out is always through collecting, whether the run went well, failed or was cancelled.
module TestRun::Phased
  extend ActiveSupport::Concern

  def launch
    launched = valid? && provider.with_lock { note_objections; errors.none? && save && enter_queue }
    advance_later if launched
    !!launched
  end

  def advance_later
    TestRun::AdvanceJob.perform_later self
  end

  # Does the work of the present phase and enters the next.
  def advance
    moved = holding_lock do
      reload
      note_neglect
      touch :worked_on_at
      before = state
      phase&.work
      state != before
    end

    advance_later if moved && at_work?
  end

  # The phase it is in, where it is in one
  def phase
    TestRun::Phase.of self if at_work?
  end

  def enter(phase)
    transaction do
      assign_attributes state: phase, worked_on_at: Time.current
      save! validate: false
      record_event :entered, phase.capitalize
    end
  end

  # The first failure is what the run is said to have failed of. Saved with the next state. What a JVM said in the end
  # is told there, and with its death.
  def note_failure(failure)
    words = failure.jvm ? failure.message.lines.first.strip : failure.message
    record_event :failed, words, machine: failure.machine, jvm: failure.jvm, advice: failure.advice
    assign_attributes failed_phase: state, error: failure.message.truncate(5_000), advice: failure.advice unless error?
  end

  private
    def enter_queue
      update! launched_at: Time.current, disk_promised: definition.disk_needed
      record_event :launched, "Launched by #{creator.email_address}"
      enter "queued"
      true
    end

    # Asked while the provider is locked: two launches could each be within its limits, and both together beyond. The
    # run may also have been launched from another page since it was read.
    def note_objections
      errors.add :base, "has been launched already" if self.class.lock.where(id: id).pick(:launched_at)
      refuse_beyond_limits
    end
end
