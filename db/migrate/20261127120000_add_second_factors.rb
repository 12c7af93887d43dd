class AddSecondFactors < ActiveRecord::Migration[7.1]
  def change
    change_table :users do |t|
      t.text :factor_secret # encrypted
      t.bigint :factor_used_at, default: 0, null: false, comment: "time of the last accepted code, which counts once"
      t.string :recovery_digests, array: true, default: [], null: false
    end
  end
end
