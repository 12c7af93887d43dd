# The column has an account's columns of the list of runs; empty means the default.
class ChooseColumnsOfTheList < ActiveRecord::Migration[7.2]
  def change
    add_column :users, :columns, :string, array: true, null: false, default: []
  end
end
