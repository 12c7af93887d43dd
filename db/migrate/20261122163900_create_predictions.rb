class CreatePredictions < ActiveRecord::Migration[7.2]
  def change
    create_table :predictions do |t|
      t.references :test_run, null: false, foreign_key: true
      t.references :check_run, foreign_key: { to_table: :test_runs, on_delete: :nullify }
      t.integer :clients # null: as in the run, or none if a rate is given
      t.float :rate # 1/s
      t.integer :brokers
      t.integer :workers
      t.integer :connections
      t.float :database_faster, null: false, default: 1
      t.string :state, null: false, default: "pending"
      t.string :step
      t.text :error
      t.jsonb :answer, null: false, default: {} # output of the log analyzer
      t.integer :attempts, null: false, default: 0
      t.datetime :cancelled_at
      t.datetime :completed_at
      t.timestamps
    end
  end
end
