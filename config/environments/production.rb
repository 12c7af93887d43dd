require "active_support/core_ext/integer/time"

Rails.application.configure do
  config.enable_reloading = false
  config.eager_load = true
  config.consider_all_requests_local = false
  config.action_controller.perform_caching = true
  config.cache_store = :memory_store
  config.public_file_server.enabled = true
  config.public_file_server.headers = { "Cache-Control" => "public, max-age=#{1.year.to_i}" }
  config.active_storage.service = ENV["TESTMASTER_S3_BUCKET"] ? :s3 : :local

  # On a local machine the address is http://127.0.0.1; behind a proxy with a certificate set TESTMASTER_SSL=1.
  config.force_ssl = config.assume_ssl = ENV["TESTMASTER_SSL"].present?

  config.log_file_size = 256.megabytes # at most, and as much for the file before; housekeeping rotates it each day
  config.log_tags = [ :request_id ]
  config.log_level = ENV.fetch("RAILS_LOG_LEVEL", "info")
  config.i18n.fallbacks = true
  config.active_support.report_deprecations = false
  config.active_record.dump_schema_after_migration = false
  config.active_record.attributes_for_inspect = [ :id ]
end
