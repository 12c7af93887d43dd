# To sort runs by how they changed since the baseline. The worker tells it of those that were made before
# (Comparison::Represented).
class KeepChangeOfComparisons < ActiveRecord::Migration[7.2]
  def change
    add_column :comparisons, :worse_by, :float
  end
end
