# Which columns of the list of runs an account wants to see.
module User::Lister
  extend ActiveSupport::Concern

  ALL = %w[ throughput mean p50 p95 p99 errors late thresholds cost duration started ]
  USUAL = %w[ throughput p99 thresholds cost duration started ]

  included do
    validate { errors.add :columns, "must be of #{ALL.to_sentence}" if (columns - ALL).any? }
  end

  # In the order of the table
  def listed
    columns.any? ? ALL & columns : USUAL
  end
end
