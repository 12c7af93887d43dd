class LetRunsChooseTheJitCompiler < ActiveRecord::Migration[7.2]
  def change
    add_column :test_runs, :jit_compiler, :string, null: false, default: "c2"
  end
end
