class LetProvidersBeDisabled < ActiveRecord::Migration[7.2]
  def change
    add_column :providers, :disabled_at, :datetime
  end
end
