class Prediction::PerformJob < ApplicationJob
  def perform(prediction)
    prediction.perform
  end
end
