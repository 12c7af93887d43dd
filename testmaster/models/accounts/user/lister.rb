# Stores which columns of the list of runs an account shows.
module User::Lister
  extend ActiveSupport::Concern

  ALL = [ *Figure.names(:exact), *%w[ change thresholds cost duration started ] ]
  USUAL = %w[ throughput p99 thresholds cost duration started ]

  included do
    validate { errors.add :columns, "must be of #{ALL.to_sentence}" if (columns - ALL).any? }
  end

  # The columns keep the order of the table. The column of changes appears by default once a baseline exists.
  def listed
    @listed ||= ALL & (columns.presence || (Baseline.exists? ? [ "change", *USUAL ] : USUAL))
  end
end
