class Analysis::PerformJob < ApplicationJob
  def perform(analysis)
    analysis.perform
  end
end
