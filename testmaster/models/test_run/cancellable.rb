# Cancelling stops the load first, then collects what there is.
module TestRun::Cancellable
  def cancel
    if at_work? && !cancelled_at?
      self.cancelled_at = Time.current
      save! validate: false # the definition need not be valid today
      record_event :cancelling, "Cancelled by #{Current.user&.email_address || "the Testmaster"}"
      advance_later # for a run that nobody is at work on, such as one in the queue
    end
  end

  def cancelling?
    cancelled_at? && at_work?
  end

  # Raises Cancelled once somebody has wished so.
  def heed_cancellation
    show_life
    raise Cancelled if self.class.uncached { self.class.where(id: id).pick(:cancelled_at) }
  end
end
