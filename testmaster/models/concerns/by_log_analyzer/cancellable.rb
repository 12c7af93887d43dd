# What can be cancelled while somebody is at work on it, who notices within a second. Whoever includes it has the
# columns cancelled_at and step, and the state "cancelled".
module ByLogAnalyzer::Cancellable
  extend ActiveSupport::Concern
  include ByLogAnalyzer

  def cancel
    return if ended?

    self.cancelled_at = Time.current
    save! validate: false # what it was made of need not be valid today
    holding_lock do
      reload
      assign_attributes state: "cancelled", completed_at: Time.current unless ended?
      save! validate: false
    end
  end

  def cancelling?
    cancelled_at? && !ended?
  end

  def ended?
    completed? || failed? || cancelled?
  end

  private
    def still_wanted
      super.where(cancelled_at: nil)
    end

    def show_step(words)
      heed_cancellation
      update! step: words
    end
end
