class CreateTestmaster < ActiveRecord::Migration[7.2]
  def change
    create_table :users do |t|
      t.string :email_address, null: false, index: { unique: true }
      t.string :password_digest, null: false
      t.timestamps
    end

    create_table :sessions do |t|
      t.references :user, null: false, foreign_key: true
      t.string :ip_address
      t.string :user_agent
      t.timestamps
    end

    create_table :api_tokens do |t|
      t.references :user, null: false, foreign_key: true
      t.string :name, null: false
      t.string :digest, null: false, index: { unique: true }
      t.datetime :last_used_at
      t.timestamps
    end

    create_table :providers do |t|
      t.string :type, null: false
      t.string :name, null: false, index: { unique: true }
      t.text :settings # encrypted JSON
      t.timestamps
    end

    create_table :builds do |t|
      t.string :commit_sha, null: false, index: { unique: true }
      t.string :revision, null: false
      t.string :state, null: false, default: "pending"
      t.text :log
      t.text :error
      t.datetime :completed_at
      t.timestamps
    end

    create_table :test_runs do |t|
      t.references :creator, null: false, foreign_key: { to_table: :users }
      t.references :provider, null: false, foreign_key: true
      t.references :build, foreign_key: true
      t.string :name, null: false
      t.text :description
      t.string :tags, array: true, null: false, default: []
      t.string :state, null: false, default: "draft", index: true
      t.text :database, null: false, default: "embedded" # encrypted: may hold a URL with a password
      t.jsonb :database_settings, null: false, default: {}
      t.boolean :keep_database, null: false, default: false
      t.string :revision, null: false, default: "HEAD"
      t.integer :warmup, null: false, default: 0     # seconds
      t.integer :duration, null: false, default: 60  # seconds, warm-up and cool-down included
      t.integer :cooldown, null: false, default: 0   # seconds
      t.integer :timeout, null: false, default: 1800 # seconds after the planned end at which the run is aborted
      t.string :thresholds, array: true, null: false, default: []
      t.string :abort_when, array: true, null: false, default: []
      t.string :failed_phase
      t.text :error
      t.text :advice
      t.datetime :launched_at
      t.datetime :load_starts_at
      t.datetime :ended_at
      t.datetime :cancelled_at
      t.datetime :worked_on_at
      t.timestamps
    end

    %i[ broker_groups client_groups ].each do |groups|
      create_table groups do |t|
        t.references :test_run, null: false, foreign_key: true
        t.integer :position, null: false, default: 0
        t.string :name
        t.string :scenario, null: false
        t.integer :machine_count, null: false, default: 1
        t.integer :jvm_count, null: false, default: 1    # on each machine
        t.integer :client_count, null: false, default: 1 if groups == :client_groups # in each JVM
        t.string :heap
        t.string :instance_type
        t.jsonb :settings, null: false, default: {}
        t.timestamps
      end
    end

    create_table :machines do |t|
      t.references :test_run, foreign_key: true
      t.references :provider, null: false, foreign_key: true
      t.string :name, null: false
      t.string :role, null: false # broker, client, database
      t.string :state, null: false, default: "pending" # pending, provisioning, ready, released, lost
      t.string :host
      t.string :reference # the provider's own name for it
      t.string :instance_type
      t.string :directory
      t.jsonb :facts, null: false, default: {}
      t.float :clock_offset # ms: the machine's clock less ours
      t.decimal :hourly_price, precision: 10, scale: 4
      t.datetime :provisioned_at
      t.datetime :expires_at
      t.datetime :released_at
      t.timestamps
    end

    create_table :jvms do |t|
      t.references :machine, null: false, foreign_key: true
      t.references :group, polymorphic: true, null: false
      t.string :role, null: false # broker, client
      t.integer :position, null: false
      t.string :state, null: false,
        default: "pending" # pending, deployed, starting, ready, running, stopping, exited, failed
      t.integer :port
      t.integer :pid
      t.integer :exit_code
      t.string :last_line
      t.jsonb :progress, null: false, default: {}
      t.datetime :started_at
      t.datetime :exited_at
      t.timestamps
    end

    create_table :events do |t|
      t.references :test_run, null: false, foreign_key: true
      t.references :machine, foreign_key: true
      t.references :jvm, foreign_key: true
      t.string :name, null: false
      t.string :phase
      t.text :message, null: false
      t.jsonb :details, null: false, default: {}
      t.datetime :created_at, null: false
    end

    create_table :commands do |t|
      t.references :test_run, null: false, foreign_key: true
      t.references :creator, foreign_key: { to_table: :users }
      t.string :line, null: false
      t.string :target, null: false, default: "all" # all, brokers, clients, a group, a JVM
      t.timestamps
    end

    create_table :replies do |t|
      t.references :command, null: false, foreign_key: true
      t.references :jvm, null: false, foreign_key: true
      t.string :state, null: false, default: "pending" # pending, ok, refused, failed, unanswered
      t.text :text
      t.datetime :answered_at
      t.timestamps
    end

    create_table :samples do |t|
      t.references :test_run, null: false, foreign_key: true, index: false
      t.datetime :at, null: false
      t.jsonb :figures, null: false, default: {}
      t.index [ :test_run_id, :at ], unique: true
    end

    create_table :analyses do |t|
      t.references :test_run, null: false, foreign_key: true
      t.string :kind, null: false
      t.string :action_prefix, null: false, default: "CSndReq#OK#"
      t.integer :window, null: false, default: 1 # seconds
      t.string :percentiles, null: false, default: "2.5,50,97.5"
      t.string :state, null: false, default: "pending"
      t.text :error
      t.datetime :completed_at
      t.timestamps
    end

    create_table :active_storage_blobs do |t|
      t.string :key, null: false, index: { unique: true }
      t.string :filename, null: false
      t.string :content_type
      t.text :metadata
      t.string :service_name, null: false
      t.bigint :byte_size, null: false
      t.string :checksum
      t.datetime :created_at, null: false
    end

    create_table :active_storage_attachments do |t|
      t.string :name, null: false
      t.references :record, null: false, polymorphic: true, index: false
      t.references :blob, null: false, foreign_key: { to_table: :active_storage_blobs }
      t.datetime :created_at, null: false
      t.index [ :record_type, :record_id, :name, :blob_id ], name: :index_active_storage_attachments_uniqueness,
        unique: true
    end

    create_table :active_storage_variant_records do |t|
      t.references :blob, null: false, index: false, foreign_key: { to_table: :active_storage_blobs }
      t.string :variation_digest, null: false
      t.index [ :blob_id, :variation_digest ], name: :index_active_storage_variant_records_uniqueness, unique: true
    end
  end
end
