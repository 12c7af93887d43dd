# What grows is deleted once it is older than a limit, a row for each kind of it; and a run says that its finer figures
# are gone.
class KeepHouse < ActiveRecord::Migration[7.2]
  def change
    create_table :chores do |t|
      t.string :type, null: false, index: { unique: true }
      t.integer :kept_days # nil: for ever
      t.bigint :bytes # that it takes
      t.datetime :measured_at
      t.datetime :performed_at
      t.bigint :removed # things, when it was last performed
      t.bigint :freed # bytes of them, where they are files
      t.boolean :unfinished, null: false, default: false
      t.text :error
      t.timestamps
    end

    add_column :test_runs, :thinned_at, :datetime
  end
end
