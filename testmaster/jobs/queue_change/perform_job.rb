class QueueChange::PerformJob < ApplicationJob
  def perform(queue_change)
    queue_change.perform
  end
end
