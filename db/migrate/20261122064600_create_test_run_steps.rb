class CreateTestRunSteps < ActiveRecord::Migration[7.2]
  def up
    create_table :test_run_steps do |t|
      t.references :test_run, null: false, foreign_key: true, index: false
      t.integer :position, null: false
      t.boolean :steady, null: false
      t.integer :samples, null: false
      t.float :last_second, null: false
      t.float :rate
      t.float :mean
      t.float :p99
      t.float :worst_p99
      t.bigint :ok
      t.bigint :errors_counted
      t.bigint :late
      t.index %i[ test_run_id position steady ], unique: true
    end

    execute <<~SQL
      INSERT INTO test_run_steps (test_run_id, position, steady, samples, last_second, rate, mean, p99, worst_p99, ok, errors_counted, late)
      SELECT test_run_id, position, steady, count(*), max(second), avg((figures ->> 'rate')::float), avg((figures ->> 'mean')::float), avg((figures ->> 'p99')::float),
             max((figures ->> 'p99')::float), max((figures ->> 'ok')::bigint), max((figures ->> 'errors')::bigint), max((figures ->> 'late')::bigint)
      FROM (
        SELECT test_run_id, figures, second, least(floor(second / ceil(duration / 240.0)), 240)::integer AS position, second BETWEEN warmup AND duration - cooldown AS steady
        FROM (SELECT s.test_run_id, s.figures, r.duration, r.warmup, r.cooldown, extract(epoch FROM s.at - r.load_starts_at)::float AS second
              FROM samples s JOIN test_runs r ON r.id = s.test_run_id WHERE s.at >= r.load_starts_at) AS seen
      ) AS placed
      GROUP BY test_run_id, position, steady
    SQL
  end

  def down
    drop_table :test_run_steps
  end
end
