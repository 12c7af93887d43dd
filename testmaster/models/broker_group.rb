class BrokerGroup < ApplicationRecord
  OURS = %w[ db.url db.user ]

  include Group

  def role
    "broker"
  end

  # JVMs on all machines
  def total
    machine_count.to_i * jvm_count.to_i
  end

  def summary
    scenario == "Broker" ? ActionController::Base.helpers.pluralize(total, "broker") : "#{total} #{scenario}"
  end
end
