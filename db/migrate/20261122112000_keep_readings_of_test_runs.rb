# The table has the figures of machines, JVMs and the database: one row for each step of the load, whatever their
# number.
class KeepReadingsOfTestRuns < ActiveRecord::Migration[7.2]
  def change
    create_table :test_run_readings do |t|
      t.references :test_run, null: false, foreign_key: true, index: false
      t.integer :length, null: false
      t.integer :position, null: false
      t.jsonb :figures, null: false, default: {}
      t.index %i[ test_run_id length position ], unique: true, name: "index_test_run_readings_on_step"
    end
  end
end
