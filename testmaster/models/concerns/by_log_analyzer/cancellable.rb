# What can be cancelled while somebody is at work on it, who notices within a second. Whoever includes it has the
# columns cancelled_at and step, and the state "cancelled".
module ByLogAnalyzer::Cancellable
  extend ActiveSupport::Concern
  include ByLogAnalyzer

  def cancel
    return if ended?

    update_columns cancelled_at: Time.current
    holding_lock { reload.ended? || conclude(state: "cancelled") }
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
