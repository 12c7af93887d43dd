# To search and sort by the verdict of ended runs. Those that ended before are judged by the worker (TestRun::Judged).
class KeepVerdictsOfTestRuns < ActiveRecord::Migration[7.2]
  def change
    add_column :test_runs, :verdict_name, :string
    add_index :test_runs, :verdict_name
  end
end
