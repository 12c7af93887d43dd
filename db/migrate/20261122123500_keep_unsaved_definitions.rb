# The table has unsaved input of a run's form. It is text, as the order counts, and encrypted, as an address may have a
# password.
class KeepUnsavedDefinitions < ActiveRecord::Migration[7.2]
  def change
    create_table :unsaved_definitions do |t|
      t.references :user, null: false, foreign_key: { on_delete: :cascade }
      t.references :test_run, foreign_key: { on_delete: :cascade }
      t.text :fields, null: false
      t.timestamps

      t.index "user_id, coalesce(test_run_id, 0)", unique: true, name: "index_unsaved_definitions_on_owner"
    end
  end
end
