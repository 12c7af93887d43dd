# The life of a run, from phase to phase. Each phase is a job of its own, and any phase may be performed again after a
# crash. Every run passes through collecting, whether it succeeded, failed or was cancelled.
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

  # Performs the present phase and enters the next.
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

  # Returns the present phase; nil if there is none.
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

  # The first failure counts as the cause of the run's failure, and is saved with the next state. The last output of a
  # JVM is shown there and with its death.
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

    # This runs while the provider is locked: two launches could each be within its limits but exceed them together. The
    # run may also have been launched from another page since it was loaded.
    def note_objections
      errors.add :base, "has been launched already" if self.class.lock.where(id: id).pick(:launched_at)
      refuse_beyond_limits
    end
end
