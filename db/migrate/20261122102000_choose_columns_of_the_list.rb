# Which columns an account wants to see in the list of runs; empty: the usual ones
class ChooseColumnsOfTheList < ActiveRecord::Migration[7.2]
  def change
    add_column :users, :columns, :string, array: true, null: false, default: []
  end
end
