# The column serves to sort runs by their change since the baseline. The worker fills it for earlier comparisons
# (Comparison::Represented).
class KeepChangeOfComparisons < ActiveRecord::Migration[7.2]
  def change
    add_column :comparisons, :worse_by, :float
  end
end
