# The column reserves the disk that a launched run will use at most.
class PromiseDiskToTestRuns < ActiveRecord::Migration[7.2]
  def change
    add_column :test_runs, :disk_promised, :bigint # bytes
  end
end
