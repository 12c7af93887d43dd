class CompareTestRuns < ActiveRecord::Migration[7.2]
  def change
    create_table :comparisons do |t|
      t.references :creator, null: false, foreign_key: { to_table: :users }
      t.references :test_run, foreign_key: true, index: { unique: true } # the run of an automatic comparison
      t.string :state, null: false, default: "pending"
      t.string :step
      t.text :error
      t.string :limits, null: false, default: [], array: true
      t.jsonb :results, null: false, default: {}
      t.integer :attempts, null: false, default: 0
      t.datetime :cancelled_at
      t.datetime :completed_at
      t.timestamps
    end

    create_table :comparison_entries do |t|
      t.references :comparison, null: false, foreign_key: true
      t.references :test_run, foreign_key: { on_delete: :nullify } # null once the run is deleted
      t.integer :side, null: false
      t.integer :number, null: false # of the run; it stays when the run is deleted
      t.string :name, null: false
    end

    create_table :baselines do |t|
      t.references :test_run, null: false, foreign_key: true
      t.references :creator, null: false, foreign_key: { to_table: :users }
      t.string :kind, null: false # name or tag
      t.string :value, null: false
      t.timestamps
      t.index %i[ kind value ], unique: true
    end
  end
end
