# Failures count from this time on: earlier ones do not pause a resumed experiment again.
class NoteWhenExperimentsAreTakenUp < ActiveRecord::Migration[7.2]
  def change
    add_column :experiments, :taken_up_at, :datetime
  end
end
