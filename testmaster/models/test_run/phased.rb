module TestRun::Phased
  extend ActiveSupport::Concern

  PHASES = %w[ queued provisioning building deploying running collecting ]

  def launch
    errors.add :base, "has been launched already" if launched_at?
    return false if errors.any? || !save

    transaction do
      update! launched_at: Time.current
      record_event :launched, "Launched by #{creator.email_address}"
      enter "queued"
    end
    advance_later
    true
  end

  def cancel
    update! cancelled_at: Time.current if at_work? && !cancelled_at?
  end

  def cancelling?
    cancelled_at? && at_work?
  end

  def advance_later
    TestRun::AdvanceJob.perform_later self
  end

  private
    def enter(phase)
      update! state: phase
      record_event :entered, phase.capitalize
    end
end
