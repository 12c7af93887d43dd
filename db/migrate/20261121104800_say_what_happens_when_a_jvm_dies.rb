class SayWhatHappensWhenAJvmDies < ActiveRecord::Migration[7.2]
  def change
    # fail: the run ends, go_on: it is an event like others
    add_column :test_runs, :when_jvm_dies, :string, null: false, default: "fail"
  end
end
