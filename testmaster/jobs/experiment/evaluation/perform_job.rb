class Experiment::Evaluation::PerformJob < ApplicationJob
  queue_as :analyses

  def perform(evaluation)
    evaluation.perform
  end
end
