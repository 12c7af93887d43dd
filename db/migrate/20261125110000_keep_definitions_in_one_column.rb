# A definition becomes one value of its run: one column has words and groups in the words of YAML. Encrypted addresses
# stay as they are. A JVM finds its group by its role and position.
class KeepDefinitionsInOneColumn < ActiveRecord::Migration[7.2]
  WORDS = %w[ database database_settings keep_database revision duration warmup cooldown timeout when_jvm_dies
    jit_compiler thresholds abort_when ]
  GROUPS = {
    "broker_groups" => "'system', system, 'address', address",
    "client_groups" => "'clients', client_count"
  }

  def up
    add_column :test_runs, :definition, :jsonb, default: {}, null: false
    add_column :jvms, :group_position, :integer
    execute <<~SQL
      UPDATE test_runs SET definition = jsonb_build_object(#{WORDS.map { |word| "'#{word}', #{word}" }.join(", ")},
        'brokers', #{rows_of("broker_groups")}, 'clients', #{rows_of("client_groups")})
    SQL
    GROUPS.each_key { |table| execute place_jvms_of(table) }
    change_column_null :jvms, :group_position, false, 0

    remove_column :jvms, :group_type
    remove_column :jvms, :group_id
    WORDS.each { |word| remove_column :test_runs, word }
    GROUPS.each_key { |table| drop_table table }
  end

  def down
    raise ActiveRecord::IrreversibleMigration, "Restore the backup that bin/upgrade made before it"
  end

  private
    def rows_of(table)
      <<~SQL
        (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(#{GROUPS.fetch(table)}, 'name', name,
            'scenario', scenario, 'machines', machine_count, 'jvms', jvm_count, 'heap', heap,
            'instance_type', instance_type, 'profile', profile, 'settings', settings)) ORDER BY position, id), '[]')
          FROM #{table} WHERE test_run_id = test_runs.id)
      SQL
    end

    def place_jvms_of(table)
      <<~SQL
        UPDATE jvms SET group_position = placed.n FROM (
          SELECT id, row_number() OVER (PARTITION BY test_run_id ORDER BY position, id) - 1 AS n FROM #{table}
        ) AS placed WHERE jvms.group_type = '#{table.classify}' AND jvms.group_id = placed.id
      SQL
    end
end
