# The predictions from a run, and those that the run checks.
module TestRun::Predicted
  extend ActiveSupport::Concern

  included do
    has_many :predictions, -> { order id: :desc }, dependent: :destroy
    has_many :checked_predictions, -> { order id: :desc }, class_name: "Prediction", foreign_key: :check_run_id,
      inverse_of: :check_run, dependent: :nullify
  end

  # The results of the run appear beside the predictions that it checks.
  def notify_checked_predictions
    checked_predictions.each(&:refresh_pages)
  end
end
