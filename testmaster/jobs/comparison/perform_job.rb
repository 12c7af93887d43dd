class Comparison::PerformJob < ApplicationJob
  queue_as :analyses

  def perform(comparison)
    comparison.perform
  end
end
