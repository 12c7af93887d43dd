class CallItResumedWhenExperimentsContinue < ActiveRecord::Migration[7.2]
  def change
    rename_column :experiments, :taken_up_at, :resumed_at
  end
end
