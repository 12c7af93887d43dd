class KeepTheMessagesOfSteps < ActiveRecord::Migration[7.2]
  def change
    change_table :test_run_steps do |t|
      t.bigint :sent
      t.bigint :received
      t.bigint :takes
      t.bigint :empty_takes
    end
  end
end
