class Analysis::PerformJob < ApplicationJob
  queue_as :analyses

  def perform(analysis)
    analysis.perform
  end
end
