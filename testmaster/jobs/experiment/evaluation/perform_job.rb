class Experiment::Evaluation::PerformJob < ApplicationJob
  def perform(evaluation)
    evaluation.perform
  end
end
