# Cancels a run: stops the load, then collects what exists.
module TestRun::Cancellable
  def cancel
    if at_work? && !cancelled_at?
      self.cancelled_at = Time.current
      save! validate: false # the definition need not be valid today
      record_event :cancelling, "Cancelled by #{Current.user&.email_address || "the Testmaster"}"
      advance_later # for a run without a worker, such as one in the queue
    end
  end

  def cancelling?
    cancelled_at? && at_work?
  end

  # Raises Cancelled once a user has cancelled the run.
  def check_cancellation
    show_life
    raise Cancelled if self.class.uncached { self.class.where(id: id).pick(:cancelled_at) }
  end
end
