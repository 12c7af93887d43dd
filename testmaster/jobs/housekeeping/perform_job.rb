class Housekeeping::PerformJob < ApplicationJob
  queue_as :housekeeping

  def perform
    Housekeeping.perform
  end
end
