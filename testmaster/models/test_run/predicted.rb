# Of which other systems a run's model may be asked, and which prediction a run checks.
module TestRun::Predicted
  extend ActiveSupport::Concern

  included do
    has_many :predictions, -> { order id: :desc }, dependent: :destroy
    has_one :checked_prediction, class_name: "Prediction", foreign_key: :check_run_id, inverse_of: :check_run,
      dependent: :nullify
  end

  # Whether its logs may carry a model; what the log analyzer says of them is known once it has read them.
  def carries_model?
    complaint_about_model.nil?
  end

  def complaint_about_model
    case
    when !ended?           then "The run has not ended: its model is made of the logs"
    when !archive.attached? then "The run has no logs to make a model of"
    when !system.plots.include?("breakdown")
      "The logs of #{system.label} do not tell what a request costs each station: the model is for MLMQ"
    end
  end

  def clients_in_all
    client_groups.sum(&:total)
  end

  def brokers_in_all
    broker_groups.sum(&:total)
  end

  # What it comes to stands beside the prediction.
  def tell_checked_prediction
    checked_prediction&.refresh_pages
  end
end
