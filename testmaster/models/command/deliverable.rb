module Command::Deliverable
  def deliver_later
    Command::DeliverJob.perform_later self
  end
end
