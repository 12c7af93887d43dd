# Which columns of the list of runs an account wants to see.
module User::Lister
  extend ActiveSupport::Concern

  ALL = [ *Figure.names(:exact), *%w[ change thresholds cost duration started ] ]
  USUAL = %w[ throughput p99 thresholds cost duration started ]

  included do
    validate { errors.add :columns, "must be of #{ALL.to_sentence}" if (columns - ALL).any? }
  end

  # In the order of the table. Changes are of interest as soon as there is a baseline to measure them by.
  def listed
    @listed ||= ALL & (columns.presence || (Baseline.exists? ? [ "change", *USUAL ] : USUAL))
  end
end
