require_relative "boot"

require "ipaddr"
require "rails"
require "active_model/railtie"
require "active_job/railtie"
require "active_record/railtie"
require "active_storage/engine"
require "action_controller/railtie"
require "action_view/railtie"
require "action_cable/engine"
require "rails/test_unit/railtie"

Bundler.require(*Rails.groups)
require_relative "../lib/own_secrets"
require_relative "../lib/trusted_proxies"

File.umask 0077 # only the Testmaster's account may read logs and zips

module Testmaster
  class Application < Rails::Application
    config.active_model.i18n_customize_full_message = true # a message may be a whole sentence
    config.load_defaults 7.2

    # testmaster/ takes the place of app/ in other Rails projects.
    paths.add "app", with: "testmaster", eager_load: true, glob: "{*,*/concerns}",
      exclude: %w[ assets javascript views ]
    %w[ channels controllers helpers models ].each do |part|
      paths.add "app/#{part}", with: "testmaster/#{part}", eager_load: true
    end
    # Each system under test has its own folder, with its class in system/.
    paths.add "systems", eager_load: true, glob: "{#{Dir[root.join("systems/*/system")].map { |path|
      File.basename(File.dirname(path)) }.join(",")}}"
    %w[ assets views ].each { |part| paths.add "app/#{part}", with: "testmaster/#{part}" }
    paths["app/assets"].glob = "*"
    config.assets.paths << root.join("testmaster/javascript")

    # The Testmaster accepts only these host names: a foreign page could point another name at it.
    config.hosts = [ "localhost", "127.0.0.1", "[::1]",
      *ENV["BINDING"].presence&.then { |address| address.include?(":") ? "[#{address}]" : address },
      *ENV["TESTMASTER_HOSTS"].to_s.split(/[\s,]+/) ]
    proxies = TrustedProxies.parse(ENV["TESTMASTER_TRUSTED_PROXIES"])
    config.action_dispatch.trusted_proxies = proxies if proxies.any?
    config.middleware.insert_before 0, TrustedProxies, proxies

    config.active_job.queue_adapter = :sidekiq
    # Only our own controllers serve requests, as they authenticate. Active Storage's routes would accept uploads from
    # anybody.
    config.active_storage.draw_routes = config.turbo.draw_routes = false
    config.active_record.schema_format = :ruby
    config.generators.system_tests = nil

    # An unknown field, or one of another shape, is an error and not ignored.
    config.action_controller.action_on_unpermitted_parameters = :raise

    config.x.run_root = root.join("tmp/runs")
    config.x.build_root = root.join("tmp/builds")
    config.x.java_options = []
    # Webhooks may send to these private networks.
    config.x.webhook_networks = ENV["TESTMASTER_WEBHOOK_NETWORKS"].to_s.split(/[\s,]+/).map { |text| IPAddr.new(text) }

    config.x.secrets = OwnSecrets.new(root)
    config.secret_key_base = ENV["SECRET_KEY_BASE"].presence || config.x.secrets.key_base
  end
end
