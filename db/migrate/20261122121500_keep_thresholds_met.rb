# To sort by the share of its thresholds that an ended run has met.
class KeepThresholdsMet < ActiveRecord::Migration[7.2]
  def up
    add_column :test_runs, :thresholds_met, :float
    TestRun.reset_column_information
    TestRun.where(state: %w[ finished failed cancelled ]).find_each do |run|
      run.update_columns thresholds_met: run.share_of_thresholds_met
    end
  end

  def down
    remove_column :test_runs, :thresholds_met
  end
end
