# The life of a run. Each phase is a job of its own, and any phase may be run again after a crash: it looks at what is there and
# does what is missing. The way out is always through collecting, whether the run went well, failed or was cancelled.
module TestRun::Phased
  extend ActiveSupport::Concern

  PHASES = %w[ queued provisioning building deploying running collecting ]
  # What we ourselves live on is, or was, away. What is written down by now is uncertain, so the job is tried again.
  OUR_OWN_TROUBLE = [ ActiveRecord::ConnectionNotEstablished, ActiveRecord::ConnectionFailed, PG::ConnectionBad, RedisClient::Error, Lockable::Lost ]

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
      touch :worked_on_at
      phase = state
      perform_phase
      state != phase
    end

    advance_later if moved && at_work?
  end

  private
    def enter_queue
      update! launched_at: Time.current
      record_event :launched, "Launched by #{creator.email_address}"
      enter "queued"
      true
    end

    # Asked while the provider is locked: two launches could each be within its limits, and both together beyond. The run may also
    # have been launched from another page since it was read.
    def note_objections
      errors.add :base, "has been launched already" if self.class.lock.where(id: id).pick(:launched_at)
      refuse_beyond_limits
    end

    def perform_phase
      heed_cancellation unless collecting?

      case state
      when "queued"       then take_turn
      when "provisioning" then provision
      when "building"     then make_build
      when "deploying"    then deploy
      when "running"      then watch
      when "collecting"   then collect
      end
    rescue TestRun::Cancelled
      enter "collecting"
    rescue Failure => failure
      fail_with provider.explain(failure)
    rescue *OUR_OWN_TROUBLE
      raise
    rescue StandardError => error
      Rails.error.report error, handled: true, context: { test_run: id, phase: state }
      fail_with Failure.new("#{error.class.name}: #{error.message.lines.first.to_s.strip}", advice: "This is a mistake of the Testmaster itself; its log has the details.")
    end

    def enter(phase)
      transaction do
        assign_attributes state: phase, worked_on_at: Time.current
        save! validate: false
        record_event :entered, phase.capitalize
      end
    end

    def fail_with(failure)
      record_event :failed, failure.message, machine: failure.machine, jvm: failure.jvm, advice: failure.advice
      assign_attributes failed_phase: state, error: failure.message.truncate(5_000), advice: failure.advice unless error?
      collecting? ? conclude : enter("collecting")
    end
end
