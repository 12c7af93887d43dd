require "active_support/core_ext/integer/time"

Rails.application.configure do
  config.enable_reloading = false
  config.eager_load = ENV["CI"].present?
  config.consider_all_requests_local = true
  config.hosts << "www.example.com" # the host name of integration tests
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

  # Runs take a few seconds and end before the second compiler would pay off.
  config.x.java_options = %w[ -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ]

  # Turbo's own waiting keeps an element that a page replaces when it fetches itself on connecting; tests use
  # assert_settled instead.
  config.turbo.test_connect_after_actions = []

  # Assets are served from their sources, even if some have been precompiled for production.
  config.assets.manifest_path = root.join("tmp/no_manifest.json")
end
