# The columns limit an analysis to seconds since the start of the load, and split it. null means the whole load, by
# action.
class AnalyzeAPartOfTheLoad < ActiveRecord::Migration[7.2]
  def change
    add_column :analyses, :from, :float
    add_column :analyses, :to, :float
    add_column :analyses, :split, :string
  end
end
