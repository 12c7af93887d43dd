# Pages show which provider cannot be swept, since when and why.
class NoteSweepsOfProviders < ActiveRecord::Migration[7.2]
  def change
    add_column :providers, :swept_at, :datetime
    add_column :providers, :sweep_failing_since, :datetime
    add_column :providers, :sweep_error, :text
    add_column :providers, :sweep_told_at, :datetime
  end
end
