require "active_support/core_ext/integer/time"

Rails.application.configure do
  config.enable_reloading = false
  config.eager_load = ENV["CI"].present?
  config.consider_all_requests_local = true
  config.hosts << "www.example.com" # as integration tests call us
  config.log_level = ENV.fetch("RAILS_LOG_LEVEL", "warn")
  config.cache_store = :memory_store
  config.action_dispatch.show_exceptions = :rescuable
  config.action_controller.allow_forgery_protection = false
  config.active_storage.service = :test
  config.active_job.queue_adapter = ENV.fetch("QUEUE_ADAPTER", "test").to_sym # test/campaigns run a real worker
  config.active_support.deprecation = :stderr
  config.active_support.disallowed_deprecation = :raise
  config.active_support.disallowed_deprecation_warnings = []
  config.action_controller.raise_on_missing_callback_actions = true

  config.x.run_root = root.join("tmp/test/runs", ENV.fetch("TEST_DATABASE", "testmaster_test"))

  # Runs of a few seconds: they end before the second compiler's work pays.
  config.x.java_options = %w[ -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ]

  # Turbo's own waiting holds on to an element that a page replaces when it fetches itself on connecting; tests say
  # assert_settled.
  config.turbo.test_connect_after_actions = []

  # Assets as they are now, also where some have been precompiled for production.
  config.assets.manifest_path = root.join("tmp/no_manifest.json")
end
