# The column has the histogram of a client JVM as of its last observation.
class KeepResponseTimesOfJvms < ActiveRecord::Migration[7.2]
  def change
    add_column :jvms, :times, :text
  end
end
