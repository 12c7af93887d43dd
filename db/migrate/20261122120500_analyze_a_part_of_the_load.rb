# Seconds since the start of the load between which an analysis looks, and what it tells apart. nil: all of it, by
# action
class AnalyzeAPartOfTheLoad < ActiveRecord::Migration[7.2]
  def change
    add_column :analyses, :from, :float
    add_column :analyses, :to, :float
    add_column :analyses, :split, :string
  end
end
