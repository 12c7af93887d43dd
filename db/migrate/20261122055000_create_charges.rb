# The cost of each machine outlives the machine, which is deleted with its run.
class CreateCharges < ActiveRecord::Migration[7.2]
  def change
    create_table :charges do |t|
      t.bigint :machine_id, null: false, index: { unique: true } # the machine and the run may be deleted
      t.bigint :provider_id, null: false
      t.bigint :test_run_id
      t.decimal :hourly_price, precision: 10, scale: 4, null: false
      t.datetime :provisioned_at, null: false
      t.datetime :released_at
      t.timestamps
      t.index [ :provider_id, :released_at ]
    end

    reversible do |direction|
      direction.up do
        execute <<~SQL
          INSERT INTO charges (machine_id, provider_id, test_run_id, hourly_price, provisioned_at, released_at, created_at, updated_at)
          SELECT id, provider_id, test_run_id, hourly_price, provisioned_at, released_at, now(), now() FROM machines WHERE hourly_price IS NOT NULL AND provisioned_at IS NOT NULL
        SQL
      end
    end
  end
end
