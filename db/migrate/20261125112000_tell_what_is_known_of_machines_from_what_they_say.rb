# facts has only what a machine reports; columns have what the Testmaster knows.
class TellWhatIsKnownOfMachinesFromWhatTheySay < ActiveRecord::Migration[7.2]
  KNOWN = { "private_address" => "string", "zone" => "string", "place" => "string", "attempt" => "integer",
    "rented_at" => "datetime", "rented_for" => "bigint", "folder" => "string", "database_port" => "integer" }
  CASTS = { "string" => "text", "integer" => "integer", "bigint" => "bigint", "datetime" => "timestamp" }

  def up
    KNOWN.each { |name, type| add_column :machines, name, type }
    add_column :machines, :host_keys, :string, array: true
    execute <<~SQL
      UPDATE machines SET #{KNOWN.map { |name, type| "#{name} = (facts ->> '#{name}')::#{CASTS[type]}" }.join(", ")},
        host_keys = CASE WHEN facts ? 'host_keys' THEN ARRAY(SELECT jsonb_array_elements_text(facts -> 'host_keys')) END,
        facts = facts - ARRAY['run', 'host_keys', #{KNOWN.keys.map { |name| "'#{name}'" }.join(", ")}]
    SQL
    change_column_default :machines, :attempt, 0
    change_column_null :machines, :attempt, false, 0
  end

  def down
    raise ActiveRecord::IrreversibleMigration, "Restore the backup that bin/upgrade made before it"
  end
end
