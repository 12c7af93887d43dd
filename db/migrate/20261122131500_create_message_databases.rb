class CreateMessageDatabases < ActiveRecord::Migration[7.2]
  def change
    create_table :message_databases do |t|
      t.string :name, null: false, index: { unique: true }
      t.text :address, null: false
      t.timestamps
    end

    create_table :queue_changes do |t|
      t.references :test_run, foreign_key: { on_delete: :cascade }
      t.references :message_database, foreign_key: { on_delete: :cascade }
      t.string :kind, null: false
      t.integer :queue_id, null: false
      t.string :queue_name, null: false
      t.boolean :only_if_empty, null: false, default: false
      t.string :state, null: false, default: "pending"
      t.bigint :up_to
      t.bigint :expected
      t.bigint :done, null: false, default: 0
      t.integer :attempts, null: false, default: 0
      t.string :error
      t.string :who
      t.datetime :cancelled_at
      t.datetime :completed_at
      t.timestamps
      t.index :state
    end
  end
end
