class KeepFiguresOfTestRuns < ActiveRecord::Migration[7.2]
  def change
    # What the samples of an ended run add up to, so that a list of runs does not read them all again.
    add_column :test_runs, :figures, :jsonb, null: false, default: {}
  end
end
