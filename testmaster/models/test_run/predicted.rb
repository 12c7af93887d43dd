# What a run's model may be asked, and which prediction a run checks.
module TestRun::Predicted
  extend ActiveSupport::Concern

  included do
    has_many :predictions, -> { order id: :desc }, dependent: :destroy
    has_many :checked_predictions, -> { order id: :desc }, class_name: "Prediction", foreign_key: :check_run_id,
      inverse_of: :check_run, dependent: :nullify
  end

  def clients_in_all
    client_groups.sum(&:total)
  end

  def brokers_in_all
    broker_groups.sum(&:total)
  end

  # What a prediction may ask for, as it is in this run; nil where groups differ in it. [1/s] for a rate
  def asked_of_model
    load = offered_load ? { "rate" => offered_load } : { "clients" => clients_in_all }
    { **load, "brokers" => brokers_in_all, "workers" => of_each_broker("workers"),
      "connections" => of_each_broker("db.connections") }
  end

  # What it comes to stands beside the predictions.
  def tell_checked_predictions
    checked_predictions.each(&:refresh_pages)
  end

  private
    def of_each_broker(setting)
      counts = broker_groups.map { |group| group.setting(setting).to_i }.uniq
      counts.first if counts.one?
    end
end
