class CountAttempts < ActiveRecord::Migration[7.2]
  def change
    add_column :analyses, :attempts, :integer, null: false, default: 0
    add_column :test_runs, :examinations, :integer, null: false, default: 0
  end
end
