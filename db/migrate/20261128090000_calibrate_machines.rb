class CalibrateMachines < ActiveRecord::Migration[7.2]
  def change
    create_table :machine_calibrations do |t|
      t.belongs_to :provider, null: false, foreign_key: true
      t.belongs_to :machine, foreign_key: { on_delete: :nullify }
      t.string :site, null: false, comment: "the host, or the type of rented machines"
      t.string :folder, comment: "where flushes were timed: that of the run, or of the database"
      t.string :peer, comment: "the site of the other end of the network test"
      t.float :processor, :flush, :flush_p99, :round_trip, :round_trip_p99, comment: "us"
      t.float :network, comment: "bytes per second"
      t.jsonb :normals, default: {}, null: false
      t.string :departed, array: true, default: [], null: false
      t.string :gaps, array: true, default: [], null: false
      t.datetime :forgotten_at
      t.timestamps
      t.index %i[ provider_id site id ]
    end
  end
end
