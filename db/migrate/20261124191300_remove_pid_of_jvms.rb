# The column is not used: the pid file in a JVM's folder is read instead.
class RemovePidOfJvms < ActiveRecord::Migration[7.2]
  def change
    remove_column :jvms, :pid, :integer
  end
end
