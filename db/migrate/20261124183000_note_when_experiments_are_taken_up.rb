# Failures count from there: what was mended before does not pause an experiment again.
class NoteWhenExperimentsAreTakenUp < ActiveRecord::Migration[7.2]
  def change
    add_column :experiments, :taken_up_at, :datetime
  end
end
