class ProfileJvms < ActiveRecord::Migration[7.2]
  def change
    add_column :broker_groups, :profile, :boolean, null: false, default: false
    add_column :client_groups, :profile, :boolean, null: false, default: false

    create_table :profiles do |t|
      t.references :test_run, null: false, foreign_key: true, index: { unique: true }
      t.string :state, null: false, default: "pending"
      t.string :step
      t.text :error
      t.jsonb :parts, null: false, default: {} # choices of its page
      t.integer :attempts, null: false, default: 0
      t.datetime :cancelled_at
      t.datetime :completed_at
      t.timestamps
    end
  end
end
