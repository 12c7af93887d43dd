# To sort by the share of its thresholds that an ended run has met. Those that ended before are judged by the worker
# (TestRun::Judged), which looks for those without a verdict.
class KeepThresholdsMet < ActiveRecord::Migration[7.2]
  def change
    add_column :test_runs, :thresholds_met, :float
    up_only { execute "UPDATE test_runs SET verdict_name = NULL WHERE thresholds <> '{}'" }
  end
end
