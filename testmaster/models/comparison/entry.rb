# A run that takes part. Its number and name stay when the run is deleted.
class Comparison::Entry < ApplicationRecord
  self.table_name = "comparison_entries"

  belongs_to :comparison, inverse_of: :entries
  belongs_to :test_run, optional: true
end
