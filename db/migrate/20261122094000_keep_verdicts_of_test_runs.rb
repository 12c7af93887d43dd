# To search and sort by the verdict of ended runs.
class KeepVerdictsOfTestRuns < ActiveRecord::Migration[7.2]
  def up
    add_column :test_runs, :verdict_name, :string
    add_index :test_runs, :verdict_name
    TestRun.reset_column_information
    TestRun.where(state: %w[ finished failed cancelled ]).find_each do |run|
      run.update_columns verdict_name: run.verdict.name
    end
  end

  def down
    remove_column :test_runs, :verdict_name
  end
end
