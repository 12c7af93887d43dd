class CreateExperimentTries < ActiveRecord::Migration[7.2]
  def change
    create_table :experiment_tries do |t|
      t.references :point, null: false, foreign_key: { to_table: :experiment_points, on_delete: :cascade }
      t.references :test_run, null: false, foreign_key: { on_delete: :cascade }
      t.integer :repetition, null: false
      t.string :state, null: false, default: "measuring"
      t.datetime :measured_from, null: false
      t.datetime :measured_to, null: false
      t.jsonb :figures, null: false, default: {}
      t.string :broken, null: false, default: [], array: true # conditions
    end

    up_only do
      execute <<~SQL # searches until now used one run for each try
        UPDATE experiments SET find = find || '{"by": "runs"}' WHERE design = 'find'
      SQL
    end
  end
end
