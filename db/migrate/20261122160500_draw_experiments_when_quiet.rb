class DrawExperimentsWhenQuiet < ActiveRecord::Migration[7.2]
  def change
    # Whether pictures are asked for as well: they take a while, and the next run's load may be on this machine.
    add_column :experiment_evaluations, :drawn, :boolean, null: false, default: true
  end
end
