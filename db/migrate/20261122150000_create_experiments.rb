class CreateExperiments < ActiveRecord::Migration[7.2]
  def change
    create_table :experiments do |t|
      t.references :creator, null: false, foreign_key: { to_table: :users }
      t.references :build, foreign_key: true # pinned when it is launched
      t.text :base_definition, null: false # common to all runs, encrypted
      t.string :name, null: false
      t.string :state, null: false, default: "draft"
      t.string :design, null: false, default: "grid"
      t.string :generators, null: false, default: [], array: true
      t.integer :repetitions, null: false, default: 1
      t.string :tightness # such as "mean +- 5 %"
      t.integer :at_most # repetitions, if their number depends on tightness
      t.string :ordering, null: false, default: "random"
      t.bigint :seed, null: false
      t.integer :again, null: false, default: 2
      t.string :starts_from, null: false, default: "fresh"
      t.string :response, null: false, default: "throughput"
      t.jsonb :find, null: false, default: {}
      t.text :error
      t.datetime :launched_at
      t.datetime :cancelled_at
      t.datetime :ended_at
      t.datetime :worked_on_at
      t.timestamps
    end

    create_table :experiment_factors do |t|
      t.references :experiment, null: false, foreign_key: true
      t.integer :position, null: false
      t.string :name, null: false
      t.string :unit
      t.jsonb :levels, null: false, default: []
      t.jsonb :paths, null: false, default: {} # paths of the definition, with a value for each level
    end

    create_table :experiment_points do |t|
      t.references :experiment, null: false, foreign_key: true
      t.integer :number, null: false
      t.jsonb :levels, null: false, default: {}
      t.integer :extra, null: false, default: 0 # repetitions beyond those of all points
      t.datetime :skipped_at
      t.index %i[ experiment_id number ], unique: true
    end

    create_table :experiment_evaluations do |t|
      t.references :experiment, null: false, foreign_key: true, index: { unique: true }
      t.string :state, null: false, default: "pending"
      t.string :step
      t.text :error
      t.string :response
      t.integer :runs, null: false, default: 0
      t.jsonb :results, null: false, default: {}
      t.integer :attempts, null: false, default: 0
      t.datetime :cancelled_at
      t.datetime :completed_at
      t.timestamps
    end

    change_table :test_runs do |t|
      t.references :experiment, foreign_key: { on_delete: :nullify }
      t.references :point, foreign_key: { to_table: :experiment_points, on_delete: :nullify }
      t.integer :repetition
      t.integer :attempt
      t.index %i[ point_id repetition attempt ], unique: true
    end
  end
end
