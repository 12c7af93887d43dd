class CreateWebhooks < ActiveRecord::Migration[7.2]
  def change
    create_table :webhooks do |t|
      t.references :user, null: false, foreign_key: true, index: { unique: true }
      t.string :url, null: false
      t.text :secret, null: false
      t.timestamps
    end

    create_table :webhook_deliveries do |t|
      t.references :webhook, null: false, foreign_key: true
      t.references :test_run, foreign_key: { on_delete: :nullify } # null for a test
      t.text :body, null: false
      t.string :state, null: false, default: "pending"
      t.integer :attempts, null: false, default: 0
      t.integer :status # of the last response
      t.string :answer  # the beginning of the response, or the error
      t.datetime :next_attempt_at
      t.timestamps
      t.index %i[ webhook_id test_run_id ], unique: true
    end
  end
end
