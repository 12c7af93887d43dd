# What a run that is launched will write at most, which is not free for others.
class PromiseDiskToTestRuns < ActiveRecord::Migration[7.2]
  def change
    add_column :test_runs, :disk_promised, :bigint # bytes
  end
end
