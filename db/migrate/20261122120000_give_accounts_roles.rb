# All accounts and tokens had the permissions of administrators until now, and keep them.
class GiveAccountsRoles < ActiveRecord::Migration[7.2]
  def change
    add_column :users, :role, :string, null: false, default: "administrator"
    change_column_default :users, :role, from: "administrator", to: "experimenter"
    add_column :users, :removed_at, :datetime
    add_column :api_tokens, :role, :string, null: false, default: "administrator"
    change_column_default :api_tokens, :role, from: "administrator", to: "experimenter"
    add_column :sessions, :last_seen_at, :datetime

    create_table :invitations do |t|
      t.string :email_address, null: false, index: { unique: true }
      t.string :role, null: false
      t.references :inviter, null: false, foreign_key: { to_table: :users }
      t.timestamps
    end

    create_table :audit_entries do |t|
      t.references :user, foreign_key: true
      t.string :who, null: false
      t.string :token
      t.string :action, null: false
      t.string :subject
      t.references :test_run, foreign_key: { on_delete: :nullify }
      t.string :ip_address
      t.datetime :created_at, null: false, index: true
    end
  end
end
