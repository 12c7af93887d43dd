# The browser gets its own Testmaster: database, Redis database, web server and a real Sidekiq worker. Nothing is
# stubbed.
ENV["RAILS_ENV"] = "test"
ENV["QUEUE_ADAPTER"] = "sidekiq"
ENV["TEST_DATABASE"] = "testmaster_browser_#{Process.pid}"
ENV["PARALLEL_WORKERS"] = "1"

require_relative "../config/boot"
require_relative "support/own_redis"
ENV["REDIS_URL"] = OwnRedis.claim

require_relative "../config/environment"
require "rails/tasks"
ActiveRecord::Tasks::DatabaseTasks.create_current
ActiveRecord::Tasks::DatabaseTasks.load_schema_current

require "test_helper"
require "capybara/cuprite"
require_relative "test_helpers/sidekiq_worker"

Minitest.after_run do
  ActiveRecord::Base.connection_handler.clear_all_connections!
  ActiveRecord::Tasks::DatabaseTasks.drop_current
  FileUtils.rm_rf Rails.configuration.x.run_root
end

Capybara.server = :puma, { Silent: true, Threads: "1:8" }
Capybara.default_max_wait_time = 60
Capybara.default_retry_interval = 0.1 # each attempt takes time from the page
Capybara.disable_animation = true
Capybara.enable_aria_label = true
Capybara.automatic_label_click = true

Capybara.register_driver :chromium do |app|
  flags =
    %w[ no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update
      disable-sync ]
  Capybara::Cuprite::Driver.new app, window_size: [ 1440, 1000 ], process_timeout: 60, timeout: 120, js_errors: true,
    save_path: ApplicationSystemTestCase::DOWNLOADS.to_s, browser_options: flags.index_with(nil),
    browser_path: ENV["CHROMIUM"] || "/usr/bin/chromium"
end

class ApplicationSystemTestCase < ActionDispatch::SystemTestCase
  DOWNLOADS = Rails.root.join("tmp/test/downloads/#{Process.pid}")

  driven_by :chromium

  # Browser, worker and test see each other's rows only after a commit.
  self.use_transactional_tests = false
  self.fixture_table_names = %w[ users ]

  setup do
    DOWNLOADS.mkpath
    Rails.cache.clear # resets rate limits, as each test signs in
    # Action Cable's test adapter ends in this process, but pages must receive broadcasts of the worker.
    ActionCable.server.instance_variable_set :@pubsub, @old_pubsub_adapter
    Sidekiq.redis { |redis| redis.call("FLUSHDB") }
  end

  teardown do
    Machine.held.find_each(&:release) # a failed test may leave machines allocated
    Capybara.reset_sessions! # leaving a page saves its unsaved fields
    forget_rows
    DOWNLOADS.rmtree
    Sidekiq.redis { |redis| redis.call("FLUSHDB") }
  end

  def sign_in(role = "experimenter")
    visit new_session_path
    fill_in "E-mail address", with: "#{role}@example.org"
    fill_in "Password", with: "correct horse battery"
    click_button "Sign in"
    assert_selector "nav", text: "Settings"
    assert_settled
  end

  # Waits until the page is subscribed to broadcasts and has fetched the latest state. An active run on a busy machine
  # makes the page fetch itself most of the time.
  def assert_settled
    assert_no_selector "turbo-cable-stream-source:not([connected])", visible: :all
    assert_no_selector "[aria-busy]", visible: :all, wait: 60
  end

  # Ids continue, so a late request cannot match the session of the next test.
  def forget_rows
    connection = ActiveRecord::Base.connection
    tables = (connection.tables - %w[ schema_migrations ar_internal_metadata ])
      .map { |name| connection.quote_table_name name }
    connection.execute "TRUNCATE #{tables.join(", ")} CASCADE"
  end

  # Returns the downloaded file once it is complete.
  def download(link)
    before = DOWNLOADS.children
    click_link link
    file = await { (DOWNLOADS.children - before).find { |path| path.extname != ".crdownload" } }
    await { DOWNLOADS.glob("*.crdownload").empty? }
    file
  end
end
