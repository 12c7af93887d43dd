class KeepHostKeys < ActiveRecord::Migration[7.2]
  def change
    create_table :provider_host_keys do |t|
      t.references :provider, null: false, foreign_key: true, index: false
      t.string :address, null: false # as in known_hosts: 10.0.0.5 or [10.0.0.5]:2222
      t.text :key, null: false
      t.timestamps
      t.index [ :provider_id, :address ], unique: true
    end
  end
end
