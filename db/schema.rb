# This file is auto-generated from the current state of the database. Instead
# of editing this file, please use the migrations feature of Active Record to
# incrementally modify your database, and then regenerate this schema definition.
#
# This file is the source Rails uses to define your schema when running `bin/rails
# db:schema:load`. When creating a new database, `bin/rails db:schema:load` tends to
# be faster and is potentially less error prone than running all of your
# migrations from scratch. Old migrations may fail to apply correctly if those
# migrations use external dependencies or application code.
#
# It's strongly recommended that you check this file into your version control system.

ActiveRecord::Schema[7.2].define(version: 2026_11_28_090000) do
  # These are extensions that must be enabled in order to support this database
  enable_extension "plpgsql"

  create_table "active_storage_attachments", force: :cascade do |t|
    t.string "name", null: false
    t.string "record_type", null: false
    t.bigint "record_id", null: false
    t.bigint "blob_id", null: false
    t.datetime "created_at", null: false
    t.index ["blob_id"], name: "index_active_storage_attachments_on_blob_id"
    t.index ["record_type", "record_id", "name", "blob_id"], name: "index_active_storage_attachments_uniqueness", unique: true
  end

  create_table "active_storage_blobs", force: :cascade do |t|
    t.string "key", null: false
    t.string "filename", null: false
    t.string "content_type"
    t.text "metadata"
    t.string "service_name", null: false
    t.bigint "byte_size", null: false
    t.string "checksum"
    t.datetime "created_at", null: false
    t.index ["key"], name: "index_active_storage_blobs_on_key", unique: true
  end

  create_table "active_storage_variant_records", force: :cascade do |t|
    t.bigint "blob_id", null: false
    t.string "variation_digest", null: false
    t.index ["blob_id", "variation_digest"], name: "index_active_storage_variant_records_uniqueness", unique: true
  end

  create_table "analyses", force: :cascade do |t|
    t.bigint "test_run_id", null: false
    t.string "kind", null: false
    t.string "action_prefix", null: false
    t.integer "window", default: 1, null: false
    t.string "percentiles", default: "2.5,50,97.5", null: false
    t.string "state", default: "pending", null: false
    t.text "error"
    t.datetime "completed_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.integer "attempts", default: 0, null: false
    t.float "from"
    t.float "to"
    t.string "split"
    t.string "step"
    t.datetime "cancelled_at"
    t.index ["test_run_id"], name: "index_analyses_on_test_run_id"
  end

  create_table "api_tokens", force: :cascade do |t|
    t.bigint "user_id", null: false
    t.string "name", null: false
    t.string "digest", null: false
    t.datetime "last_used_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.datetime "expires_at", null: false
    t.string "role", default: "experimenter", null: false
    t.index ["digest"], name: "index_api_tokens_on_digest", unique: true
    t.index ["user_id"], name: "index_api_tokens_on_user_id"
  end

  create_table "audit_entries", force: :cascade do |t|
    t.bigint "user_id"
    t.string "who", null: false
    t.string "token"
    t.string "action", null: false
    t.string "subject"
    t.bigint "test_run_id"
    t.string "ip_address"
    t.datetime "created_at", null: false
    t.index ["created_at"], name: "index_audit_entries_on_created_at"
    t.index ["test_run_id"], name: "index_audit_entries_on_test_run_id"
    t.index ["user_id"], name: "index_audit_entries_on_user_id"
  end

  create_table "baselines", force: :cascade do |t|
    t.bigint "test_run_id", null: false
    t.bigint "creator_id", null: false
    t.string "kind", null: false
    t.string "value", null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["creator_id"], name: "index_baselines_on_creator_id"
    t.index ["kind", "value"], name: "index_baselines_on_kind_and_value", unique: true
    t.index ["test_run_id"], name: "index_baselines_on_test_run_id"
  end

  create_table "builds", force: :cascade do |t|
    t.string "commit_sha", null: false
    t.string "revision", null: false
    t.string "state", default: "pending", null: false
    t.text "log"
    t.text "error"
    t.datetime "completed_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.string "tree"
    t.datetime "started_at"
    t.index ["commit_sha"], name: "index_builds_on_commit_sha", unique: true
  end

  create_table "charges", force: :cascade do |t|
    t.bigint "machine_id", null: false
    t.bigint "provider_id", null: false
    t.bigint "test_run_id"
    t.decimal "hourly_price", precision: 10, scale: 4, null: false
    t.datetime "provisioned_at", null: false
    t.datetime "released_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["machine_id"], name: "index_charges_on_machine_id", unique: true
    t.index ["provider_id", "released_at"], name: "index_charges_on_provider_id_and_released_at"
  end

  create_table "chores", force: :cascade do |t|
    t.string "type", null: false
    t.integer "kept_days"
    t.bigint "bytes"
    t.datetime "measured_at"
    t.datetime "performed_at"
    t.bigint "removed"
    t.bigint "freed"
    t.boolean "unfinished", default: false, null: false
    t.text "error"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["type"], name: "index_chores_on_type", unique: true
  end

  create_table "commands", force: :cascade do |t|
    t.bigint "test_run_id", null: false
    t.bigint "creator_id"
    t.string "line", null: false
    t.string "target", default: "all", null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["creator_id"], name: "index_commands_on_creator_id"
    t.index ["test_run_id"], name: "index_commands_on_test_run_id"
  end

  create_table "comparison_entries", force: :cascade do |t|
    t.bigint "comparison_id", null: false
    t.bigint "test_run_id"
    t.integer "side", null: false
    t.integer "number", null: false
    t.string "name", null: false
    t.index ["comparison_id"], name: "index_comparison_entries_on_comparison_id"
    t.index ["test_run_id"], name: "index_comparison_entries_on_test_run_id"
  end

  create_table "comparisons", force: :cascade do |t|
    t.bigint "creator_id", null: false
    t.bigint "test_run_id"
    t.string "state", default: "pending", null: false
    t.string "step"
    t.text "error"
    t.string "limits", default: [], null: false, array: true
    t.jsonb "results", default: {}, null: false
    t.integer "attempts", default: 0, null: false
    t.datetime "cancelled_at"
    t.datetime "completed_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.float "worse_by"
    t.index ["creator_id"], name: "index_comparisons_on_creator_id"
    t.index ["test_run_id"], name: "index_comparisons_on_test_run_id", unique: true
  end

  create_table "events", force: :cascade do |t|
    t.bigint "test_run_id", null: false
    t.bigint "machine_id"
    t.bigint "jvm_id"
    t.string "name", null: false
    t.string "phase"
    t.text "message", null: false
    t.jsonb "details", default: {}, null: false
    t.datetime "created_at", null: false
    t.index ["jvm_id"], name: "index_events_on_jvm_id"
    t.index ["machine_id"], name: "index_events_on_machine_id"
    t.index ["test_run_id"], name: "index_events_on_test_run_id"
  end

  create_table "experiment_evaluations", force: :cascade do |t|
    t.bigint "experiment_id", null: false
    t.string "state", default: "pending", null: false
    t.string "step"
    t.text "error"
    t.string "response"
    t.integer "runs", default: 0, null: false
    t.jsonb "results", default: {}, null: false
    t.integer "attempts", default: 0, null: false
    t.datetime "cancelled_at"
    t.datetime "completed_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.boolean "drawn", default: true, null: false
    t.index ["experiment_id"], name: "index_experiment_evaluations_on_experiment_id", unique: true
  end

  create_table "experiment_factors", force: :cascade do |t|
    t.bigint "experiment_id", null: false
    t.integer "position", null: false
    t.string "name", null: false
    t.string "unit"
    t.jsonb "levels", default: [], null: false
    t.jsonb "paths", default: {}, null: false
    t.index ["experiment_id"], name: "index_experiment_factors_on_experiment_id"
  end

  create_table "experiment_points", force: :cascade do |t|
    t.bigint "experiment_id", null: false
    t.integer "number", null: false
    t.jsonb "levels", default: {}, null: false
    t.integer "extra", default: 0, null: false
    t.datetime "skipped_at"
    t.index ["experiment_id", "number"], name: "index_experiment_points_on_experiment_id_and_number", unique: true
    t.index ["experiment_id"], name: "index_experiment_points_on_experiment_id"
  end

  create_table "experiment_tries", force: :cascade do |t|
    t.bigint "point_id", null: false
    t.bigint "test_run_id", null: false
    t.integer "repetition", null: false
    t.string "state", default: "measuring", null: false
    t.datetime "measured_from", null: false
    t.datetime "measured_to", null: false
    t.jsonb "figures", default: {}, null: false
    t.string "broken", default: [], null: false, array: true
    t.index ["point_id"], name: "index_experiment_tries_on_point_id"
    t.index ["test_run_id"], name: "index_experiment_tries_on_test_run_id"
  end

  create_table "experiments", force: :cascade do |t|
    t.bigint "creator_id", null: false
    t.bigint "build_id"
    t.text "base_definition", null: false
    t.string "name", null: false
    t.string "state", default: "draft", null: false
    t.string "design", default: "grid", null: false
    t.string "generators", default: [], null: false, array: true
    t.integer "repetitions", default: 1, null: false
    t.string "tightness"
    t.integer "at_most"
    t.string "ordering", default: "random", null: false
    t.bigint "seed", null: false
    t.integer "again", default: 2, null: false
    t.string "starts_from", default: "fresh", null: false
    t.string "response", default: "throughput", null: false
    t.jsonb "find", default: {}, null: false
    t.text "error"
    t.datetime "launched_at"
    t.datetime "cancelled_at"
    t.datetime "ended_at"
    t.datetime "worked_on_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.datetime "resumed_at"
    t.index ["build_id"], name: "index_experiments_on_build_id"
    t.index ["creator_id"], name: "index_experiments_on_creator_id"
  end

  create_table "invitations", force: :cascade do |t|
    t.string "email_address", null: false
    t.string "role", null: false
    t.bigint "inviter_id", null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["email_address"], name: "index_invitations_on_email_address", unique: true
    t.index ["inviter_id"], name: "index_invitations_on_inviter_id"
  end

  create_table "jvms", force: :cascade do |t|
    t.bigint "machine_id", null: false
    t.string "role", null: false
    t.integer "position", null: false
    t.string "state", default: "pending", null: false
    t.integer "port"
    t.integer "exit_code"
    t.string "last_line"
    t.jsonb "progress", default: {}, null: false
    t.datetime "started_at"
    t.datetime "exited_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.text "times"
    t.integer "group_position", null: false
    t.index ["machine_id"], name: "index_jvms_on_machine_id"
  end

  create_table "machine_calibrations", force: :cascade do |t|
    t.bigint "provider_id", null: false
    t.bigint "machine_id"
    t.string "site", null: false, comment: "the host, or the type of rented machines"
    t.string "folder", comment: "where flushes were timed: that of the run, or of the database"
    t.string "peer", comment: "the site of the other end of the network test"
    t.float "processor", comment: "us"
    t.float "flush", comment: "us"
    t.float "flush_p99", comment: "us"
    t.float "round_trip", comment: "us"
    t.float "round_trip_p99", comment: "us"
    t.float "network", comment: "bytes per second"
    t.jsonb "normals", default: {}, null: false
    t.string "departed", default: [], null: false, array: true
    t.string "gaps", default: [], null: false, array: true
    t.datetime "forgotten_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["machine_id"], name: "index_machine_calibrations_on_machine_id"
    t.index ["provider_id", "site", "id"], name: "index_machine_calibrations_on_provider_id_and_site_and_id"
    t.index ["provider_id"], name: "index_machine_calibrations_on_provider_id"
  end

  create_table "machines", force: :cascade do |t|
    t.bigint "test_run_id"
    t.bigint "provider_id", null: false
    t.string "name", null: false
    t.string "role", null: false
    t.string "state", default: "pending", null: false
    t.string "host"
    t.string "reference"
    t.string "instance_type"
    t.string "directory"
    t.jsonb "facts", default: {}, null: false
    t.float "clock_offset"
    t.decimal "hourly_price", precision: 10, scale: 4
    t.datetime "provisioned_at"
    t.datetime "expires_at"
    t.datetime "released_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.string "private_address"
    t.string "zone"
    t.string "place"
    t.integer "attempt", default: 0, null: false
    t.datetime "rented_at"
    t.bigint "rented_for"
    t.string "folder"
    t.integer "database_port"
    t.string "host_keys", array: true
    t.float "clock_error"
    t.index ["provider_id"], name: "index_machines_on_provider_id"
    t.index ["test_run_id"], name: "index_machines_on_test_run_id"
  end

  create_table "message_databases", force: :cascade do |t|
    t.string "name", null: false
    t.text "address", null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["name"], name: "index_message_databases_on_name", unique: true
  end

  create_table "predictions", force: :cascade do |t|
    t.bigint "test_run_id", null: false
    t.bigint "check_run_id"
    t.integer "clients"
    t.float "rate"
    t.integer "brokers"
    t.integer "workers"
    t.integer "connections"
    t.float "database_faster", default: 1.0, null: false
    t.string "state", default: "pending", null: false
    t.string "step"
    t.text "error"
    t.jsonb "answer", default: {}, null: false
    t.integer "attempts", default: 0, null: false
    t.datetime "cancelled_at"
    t.datetime "completed_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["check_run_id"], name: "index_predictions_on_check_run_id"
    t.index ["test_run_id"], name: "index_predictions_on_test_run_id"
  end

  create_table "profiles", force: :cascade do |t|
    t.bigint "test_run_id", null: false
    t.string "state", default: "pending", null: false
    t.string "step"
    t.text "error"
    t.jsonb "parts", default: {}, null: false
    t.integer "attempts", default: 0, null: false
    t.datetime "cancelled_at"
    t.datetime "completed_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["test_run_id"], name: "index_profiles_on_test_run_id", unique: true
  end

  create_table "provider_host_keys", force: :cascade do |t|
    t.bigint "provider_id", null: false
    t.string "address", null: false
    t.text "key", null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["provider_id", "address"], name: "index_provider_host_keys_on_provider_id_and_address", unique: true
  end

  create_table "providers", force: :cascade do |t|
    t.string "type", null: false
    t.string "name", null: false
    t.text "settings"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.datetime "swept_at"
    t.datetime "sweep_failing_since"
    t.text "sweep_error"
    t.datetime "sweep_told_at"
    t.datetime "disabled_at"
    t.index ["name"], name: "index_providers_on_name", unique: true
  end

  create_table "queue_changes", force: :cascade do |t|
    t.bigint "test_run_id"
    t.bigint "message_database_id"
    t.string "kind", null: false
    t.integer "queue_id", null: false
    t.string "queue_name", null: false
    t.boolean "only_if_empty", default: false, null: false
    t.string "state", default: "pending", null: false
    t.bigint "up_to"
    t.bigint "expected"
    t.bigint "done", default: 0, null: false
    t.integer "attempts", default: 0, null: false
    t.string "error"
    t.string "who"
    t.datetime "cancelled_at"
    t.datetime "completed_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["message_database_id"], name: "index_queue_changes_on_message_database_id"
    t.index ["state"], name: "index_queue_changes_on_state"
    t.index ["test_run_id"], name: "index_queue_changes_on_test_run_id"
  end

  create_table "replies", force: :cascade do |t|
    t.bigint "command_id", null: false
    t.bigint "jvm_id", null: false
    t.string "state", default: "pending", null: false
    t.text "text"
    t.datetime "answered_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["command_id"], name: "index_replies_on_command_id"
    t.index ["jvm_id"], name: "index_replies_on_jvm_id"
  end

  create_table "samples", force: :cascade do |t|
    t.bigint "test_run_id", null: false
    t.datetime "at", null: false
    t.jsonb "figures", default: {}, null: false
    t.index ["test_run_id", "at"], name: "index_samples_on_test_run_id_and_at", unique: true
  end

  create_table "sessions", force: :cascade do |t|
    t.bigint "user_id", null: false
    t.string "ip_address"
    t.string "user_agent"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.datetime "last_seen_at"
    t.index ["user_id"], name: "index_sessions_on_user_id"
  end

  create_table "test_run_readings", force: :cascade do |t|
    t.bigint "test_run_id", null: false
    t.integer "length", null: false
    t.integer "position", null: false
    t.jsonb "figures", default: {}, null: false
    t.index ["test_run_id", "length", "position"], name: "index_test_run_readings_on_step", unique: true
  end

  create_table "test_run_steps", force: :cascade do |t|
    t.bigint "test_run_id", null: false
    t.integer "position", null: false
    t.boolean "steady", null: false
    t.integer "samples", null: false
    t.float "last_second", null: false
    t.float "rate"
    t.float "mean"
    t.float "p99"
    t.float "worst_p99"
    t.bigint "ok"
    t.bigint "errors_counted"
    t.bigint "late"
    t.bigint "sent"
    t.bigint "received"
    t.bigint "takes"
    t.bigint "empty_takes"
    t.index ["test_run_id", "position", "steady"], name: "index_test_run_steps_on_test_run_id_and_position_and_steady", unique: true
  end

  create_table "test_runs", force: :cascade do |t|
    t.bigint "creator_id", null: false
    t.bigint "provider_id", null: false
    t.bigint "build_id"
    t.string "name", null: false
    t.text "description"
    t.string "tags", default: [], null: false, array: true
    t.string "state", default: "draft", null: false
    t.string "failed_phase"
    t.text "error"
    t.text "advice"
    t.datetime "launched_at"
    t.datetime "load_starts_at"
    t.datetime "ended_at"
    t.datetime "cancelled_at"
    t.datetime "worked_on_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.jsonb "figures", default: {}, null: false
    t.integer "examinations", default: 0, null: false
    t.string "verdict_name"
    t.float "thresholds_met"
    t.bigint "experiment_id"
    t.bigint "point_id"
    t.integer "repetition"
    t.integer "attempt"
    t.datetime "followed_up_at"
    t.datetime "thinned_at"
    t.bigint "disk_promised"
    t.jsonb "definition", default: {}, null: false
    t.index ["build_id"], name: "index_test_runs_on_build_id"
    t.index ["creator_id"], name: "index_test_runs_on_creator_id"
    t.index ["experiment_id"], name: "index_test_runs_on_experiment_id"
    t.index ["point_id", "repetition", "attempt"], name: "index_test_runs_on_point_id_and_repetition_and_attempt", unique: true
    t.index ["point_id"], name: "index_test_runs_on_point_id"
    t.index ["provider_id"], name: "index_test_runs_on_provider_id"
    t.index ["state"], name: "index_test_runs_on_state"
    t.index ["verdict_name"], name: "index_test_runs_on_verdict_name"
  end

  create_table "unsaved_definitions", force: :cascade do |t|
    t.bigint "user_id", null: false
    t.bigint "test_run_id"
    t.text "fields", null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index "user_id, COALESCE(test_run_id, (0)::bigint)", name: "index_unsaved_definitions_on_owner", unique: true
    t.index ["test_run_id"], name: "index_unsaved_definitions_on_test_run_id"
    t.index ["user_id"], name: "index_unsaved_definitions_on_user_id"
  end

  create_table "users", force: :cascade do |t|
    t.string "email_address", null: false
    t.string "password_digest", null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.integer "sign_in_links_used", default: 0, null: false
    t.string "columns", default: [], null: false, array: true
    t.string "role", default: "experimenter", null: false
    t.datetime "removed_at"
    t.text "factor_secret"
    t.bigint "factor_used_at", default: 0, null: false, comment: "time of the last accepted code, which counts once"
    t.string "recovery_digests", default: [], null: false, array: true
    t.index ["email_address"], name: "index_users_on_email_address", unique: true
  end

  create_table "webhook_deliveries", force: :cascade do |t|
    t.bigint "webhook_id", null: false
    t.bigint "test_run_id"
    t.text "body", null: false
    t.string "state", default: "pending", null: false
    t.integer "attempts", default: 0, null: false
    t.integer "status"
    t.string "answer"
    t.datetime "next_attempt_at"
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["test_run_id"], name: "index_webhook_deliveries_on_test_run_id"
    t.index ["webhook_id", "test_run_id"], name: "index_webhook_deliveries_on_webhook_id_and_test_run_id", unique: true
    t.index ["webhook_id"], name: "index_webhook_deliveries_on_webhook_id"
  end

  create_table "webhooks", force: :cascade do |t|
    t.bigint "user_id", null: false
    t.string "url", null: false
    t.text "secret", null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["user_id"], name: "index_webhooks_on_user_id", unique: true
  end

  add_foreign_key "active_storage_attachments", "active_storage_blobs", column: "blob_id"
  add_foreign_key "active_storage_variant_records", "active_storage_blobs", column: "blob_id"
  add_foreign_key "analyses", "test_runs"
  add_foreign_key "api_tokens", "users"
  add_foreign_key "audit_entries", "test_runs", on_delete: :nullify
  add_foreign_key "audit_entries", "users"
  add_foreign_key "baselines", "test_runs"
  add_foreign_key "baselines", "users", column: "creator_id"
  add_foreign_key "commands", "test_runs"
  add_foreign_key "commands", "users", column: "creator_id"
  add_foreign_key "comparison_entries", "comparisons"
  add_foreign_key "comparison_entries", "test_runs", on_delete: :nullify
  add_foreign_key "comparisons", "test_runs"
  add_foreign_key "comparisons", "users", column: "creator_id"
  add_foreign_key "events", "jvms"
  add_foreign_key "events", "machines"
  add_foreign_key "events", "test_runs"
  add_foreign_key "experiment_evaluations", "experiments"
  add_foreign_key "experiment_factors", "experiments"
  add_foreign_key "experiment_points", "experiments"
  add_foreign_key "experiment_tries", "experiment_points", column: "point_id", on_delete: :cascade
  add_foreign_key "experiment_tries", "test_runs", on_delete: :cascade
  add_foreign_key "experiments", "builds"
  add_foreign_key "experiments", "users", column: "creator_id"
  add_foreign_key "invitations", "users", column: "inviter_id"
  add_foreign_key "jvms", "machines"
  add_foreign_key "machine_calibrations", "machines", on_delete: :nullify
  add_foreign_key "machine_calibrations", "providers"
  add_foreign_key "machines", "providers"
  add_foreign_key "machines", "test_runs"
  add_foreign_key "predictions", "test_runs"
  add_foreign_key "predictions", "test_runs", column: "check_run_id", on_delete: :nullify
  add_foreign_key "profiles", "test_runs"
  add_foreign_key "provider_host_keys", "providers"
  add_foreign_key "queue_changes", "message_databases", on_delete: :cascade
  add_foreign_key "queue_changes", "test_runs", on_delete: :cascade
  add_foreign_key "replies", "commands"
  add_foreign_key "replies", "jvms"
  add_foreign_key "samples", "test_runs"
  add_foreign_key "sessions", "users"
  add_foreign_key "test_run_readings", "test_runs"
  add_foreign_key "test_run_steps", "test_runs"
  add_foreign_key "test_runs", "builds"
  add_foreign_key "test_runs", "experiment_points", column: "point_id", on_delete: :nullify
  add_foreign_key "test_runs", "experiments", on_delete: :nullify
  add_foreign_key "test_runs", "providers"
  add_foreign_key "test_runs", "users", column: "creator_id"
  add_foreign_key "unsaved_definitions", "test_runs", on_delete: :cascade
  add_foreign_key "unsaved_definitions", "users", on_delete: :cascade
  add_foreign_key "webhook_deliveries", "test_runs", on_delete: :nullify
  add_foreign_key "webhook_deliveries", "webhooks"
  add_foreign_key "webhooks", "users"
end
