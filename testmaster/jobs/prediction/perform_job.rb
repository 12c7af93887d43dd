class Prediction::PerformJob < ApplicationJob
  queue_as :analyses

  def perform(prediction)
    prediction.perform
  end
end
