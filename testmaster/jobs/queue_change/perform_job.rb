class QueueChange::PerformJob < ApplicationJob
  queue_as :errands

  def perform(queue_change)
    queue_change.perform
  end
end
