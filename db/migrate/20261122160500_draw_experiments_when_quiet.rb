class DrawExperimentsWhenQuiet < ActiveRecord::Migration[7.2]
  def change
    # The column says whether pictures are requested as well: they take time, and the next load may be on this machine.
    add_column :experiment_evaluations, :drawn, :boolean, null: false, default: true
  end
end
