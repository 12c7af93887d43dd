class KeepFiguresOfTestRuns < ActiveRecord::Migration[7.2]
  def change
    # The figures of an ended run are stored, so that a list of runs does not read its samples again.
    add_column :test_runs, :figures, :jsonb, null: false, default: {}
  end
end
