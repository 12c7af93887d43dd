class Comparison::PerformJob < ApplicationJob
  def perform(comparison)
    comparison.perform
  end
end
