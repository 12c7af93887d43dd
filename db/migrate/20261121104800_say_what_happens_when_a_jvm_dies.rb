class SayWhatHappensWhenAJvmDies < ActiveRecord::Migration[7.2]
  def change
    # fail ends the run; go_on records an event only.
    add_column :test_runs, :when_jvm_dies, :string, null: false, default: "fail"
  end
end
