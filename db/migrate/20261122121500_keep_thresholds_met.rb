# The column serves to sort by the share of thresholds that are met. The worker fills it for earlier runs
# (TestRun::Judged), which it finds by their missing verdict.
class KeepThresholdsMet < ActiveRecord::Migration[7.2]
  def change
    add_column :test_runs, :thresholds_met, :float
    up_only { execute "UPDATE test_runs SET verdict_name = NULL WHERE thresholds <> '{}'" }
  end
end
