class TellWhenBuildsBegin < ActiveRecord::Migration[7.2]
  def change
    add_column :builds, :started_at, :datetime
  end
end
