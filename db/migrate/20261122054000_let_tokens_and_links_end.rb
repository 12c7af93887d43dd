class LetTokensAndLinksEnd < ActiveRecord::Migration[7.2]
  def change
    add_column :users, :sign_in_links_used, :integer, null: false, default: 0
    add_column :api_tokens, :expires_at, :datetime
    reversible { |direction| direction.up { execute "UPDATE api_tokens SET expires_at = now() + interval '90 days'" } }
    change_column_null :api_tokens, :expires_at, false
  end
end
