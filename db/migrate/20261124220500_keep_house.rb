# Each kind of growing data has a row with its limit of age. A run records that its finer figures are deleted.
class KeepHouse < ActiveRecord::Migration[7.2]
  def change
    create_table :chores do |t|
      t.string :type, null: false, index: { unique: true }
      t.integer :kept_days # nil: for ever
      t.bigint :bytes # of disk
      t.datetime :measured_at
      t.datetime :performed_at
      t.bigint :removed # number of deleted things in the last run
      t.bigint :freed # bytes of deleted files
      t.boolean :unfinished, null: false, default: false
      t.text :error
      t.timestamps
    end

    add_column :test_runs, :thinned_at, :datetime
  end
end
