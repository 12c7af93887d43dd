# What can be cancelled while somebody is at work on it, who notices within a second. Whoever includes it has the
# columns cancelled_at and step, and the state "cancelled".
module ByLogAnalyzer::Cancellable
  extend ActiveSupport::Concern
  include ByLogAnalyzer

  def cancel
    return if ended?

    update! cancelled_at: Time.current
    holding_lock { reload.ended? || update!(state: "cancelled", completed_at: Time.current) }
  end

  def cancelling?
    cancelled_at? && !ended?
  end

  def ended?
    completed? || failed? || cancelled?
  end

  private
    # Beside us, so that somebody's wish to end it is heeded.
    def run_program(...)
      program = Thread.new { super }
      program.report_on_exception = false # whoever waits gets it
      heed_cancellation until program.join(0.5)
      program.value
    ensure
      if program&.alive?
        program.raise TestRun::Cancelled
        program.join(10)
      end
    end

    def heed_cancellation
      make_sure_of_lock
      there = self.class.uncached { self.class.where(id: id, cancelled_at: nil).exists? }
      raise TestRun::Cancelled unless there # or it was deleted meanwhile
    end

    def show_step(words)
      heed_cancellation
      update! step: words
    end
end
