# The columns serve to search and sort by the verdict. The worker fills them for earlier runs (TestRun::Judged).
class KeepVerdictsOfTestRuns < ActiveRecord::Migration[7.2]
  def change
    add_column :test_runs, :verdict_name, :string
    add_index :test_runs, :verdict_name
  end
end
