# The histogram of a client JVM, as it was last seen
class KeepResponseTimesOfJvms < ActiveRecord::Migration[7.2]
  def change
    add_column :jvms, :times, :text
  end
end
