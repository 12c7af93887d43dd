# To sort runs by how they changed since the baseline.
class KeepChangeOfComparisons < ActiveRecord::Migration[7.2]
  def up
    add_column :comparisons, :worse_by, :float
    Comparison.reset_column_information
    Comparison.completed.find_each { |comparison| comparison.update_columns worse_by: comparison.worsening }
  end

  def down
    remove_column :comparisons, :worse_by
  end
end
