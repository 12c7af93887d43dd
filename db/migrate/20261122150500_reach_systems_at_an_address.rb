class ReachSystemsAtAnAddress < ActiveRecord::Migration[7.2]
  def change
    add_column :broker_groups, :address, :text
  end
end
