class SayWhatIsUnderTest < ActiveRecord::Migration[7.2]
  def change
    add_column :broker_groups, :system, :string, null: false, default: "mlmq"
    change_column_default :analyses, :action_prefix, from: "CSndReq#OK#", to: nil
  end
end
