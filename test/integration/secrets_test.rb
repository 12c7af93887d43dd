require "test_helper"

# Searches everything that a run leaves for the password of its database.
class SecretsTest < ActionDispatch::IntegrationTest
  include RunsHelper

  SECRET = "sesame-#{SecureRandom.hex(8)}"
  ACCOUNT = "secrets_test_#{Process.pid}"

  setup { sign_in_as users(:experimenter) }

  test "the password of a run's database appears nowhere" do
    with_account do |address|
      run = build_run(database: address, duration: "2s", warmup: 0,
        clients: [ { scenario: "PublicQueueProducer", clients: 1, settings: { rate: "20/s" } } ])
      files = nil
      log = logged do
        while_running(run) { files = contents_of_folder(folder_of(run)) + processes }
        assert_predicate run, :finished?, run.error
        assert_hidden_on_pages_of run
      end

      assert_operator files.size, :>, 5
      assert_no_match SECRET, files.join
      assert_no_match SECRET, log
      assert_no_match SECRET, contents_of(run.archive).values.join
      assert_no_match SECRET, everything_in_tables
    end
  end

  test "no page shows the password of an address" do
    { "postgresql://anna:#{SECRET}@db.example.org/postgres" => true,
      "jdbc:postgresql://anna:#{SECRET}@db.example.org/postgres" => true,
      "postgresql://db.example.org/postgres?user=anna&password=#{SECRET}" => true,
        "postgresql://anna:#{SECRET}@db.example.org/?sslmode=require" => true,
        "postgresql://anna:#{SECRET}@db.example.org/?sslkey=/etc/key" => false,
      "postgresql://anna:#{SECRET}@db.example.org:99999/" => false,
        "mysql://anna:#{SECRET}@db/x" => false }.each do |address, sound|
      run = build_run(database: address)
      assert_equal sound, run.save, address
      assert_hidden_on_pages_of run if sound

      [ { definition: run.to_definition.merge("database" => address) },
        { definition: run.to_definition.merge("database" => address).to_yaml } ].each do |sent|
        post test_runs_path, params: sent, as: :json
        assert_response sound ? :created : :unprocessable_entity
        assert_no_match SECRET, response.body
      end
      post test_runs_path, params: { test_run: { name: "", database_kind: "url", database_url: address } }
      assert_response :unprocessable_entity
      assert_no_match SECRET, response.body
    end
  end

  test "a revision or setting with a password is refused" do
    [ { revision: "https://anna:#{SECRET}@git.example.org/x.git#main" },
      { revision: "https://#{SECRET}@git.example.org/x.git" },
      { revision: "https://git.example.org/x.git?token=#{SECRET}" },
      { brokers: [ { scenario: "Broker", settings: { mirror: "jdbc:postgresql://anna:#{SECRET}@db/x" } } ] } ]
        .each do |change|
      definition = RunsHelper::DEFINITION.merge(change.deep_stringify_keys)
      [ { definition: definition }, { definition: definition.to_yaml } ].each do |sent|
        post test_runs_path, params: sent, as: :json
        assert_response :unprocessable_entity, change.inspect
        assert_no_match SECRET, response.body
      end
    end

    post test_runs_path,
      params: { test_run: { name: "x", revision: "https://anna:#{SECRET}@git.example.org/x.git#main" } }
    assert_response :unprocessable_entity
    assert_no_match SECRET, response.body
  end

  private
    def with_account
      own = ApplicationRecord.connection.raw_connection
      execute_apart "CREATE ROLE #{ACCOUNT} SUPERUSER LOGIN PASSWORD '#{SECRET}'"
      yield "jdbc:postgresql://#{ACCOUNT}:#{SECRET}@#{own.host}:#{own.port}/postgres"
    ensure
      execute_apart "DROP ROLE #{ACCOUNT}"
    end

    # Runs outside the transaction of the test.
    def execute_apart(sql)
      own = ApplicationRecord.connection.raw_connection
      connection = PG.connect(host: own.host, port: own.port, user: own.user, password: own.pass, dbname: "postgres")
      connection.exec sql
    ensure
      connection&.close
    end

    def assert_hidden_on_pages_of(run)
      paths = [ test_run_path(run), edit_test_run_path(run), test_runs_path, machines_path, builds_path, settings_path,
        test_run_definition_path(run), test_run_commands_path(run), test_run_analyses_path(run),
        *(build_path(run.build) if run.build) ]
      paths.product([ "text/html", "application/json", "application/yaml" ]).each do |path, type|
        get path, headers: { "Accept" => type }
        assert_no_match SECRET, response.body, "#{path} as #{type}"
      end
      post duplicate_path = test_run_duplicate_path(run), as: :json
      assert_no_match SECRET, response.body, duplicate_path
    end

    def contents_of_folder(folder)
      folder.glob("**/*", File::FNM_DOTMATCH).select(&:file?).reject { |file| file.extname == ".jar" }.map(&:binread)
    end

    def processes
      Dir["/proc/[0-9]*/cmdline"].filter_map { |file| File.binread(file) rescue nil }
    end

    def everything_in_tables
      ApplicationRecord.connection.tables
        .flat_map { |table| ApplicationRecord.connection.select_values("SELECT t::text FROM #{table} t") }.join
    end

    def logged
      log = StringIO.new
      loggers = [ Rails, ActionController::Base, ActiveRecord::Base, ActionView::Base,
        ActiveJob::Base ].index_with(&:logger)
      loggers.each_key { |it| it.logger = ActiveSupport::Logger.new(log, level: :debug) }
      yield
      log.string
    ensure
      loggers.each { |it, logger| it.logger = logger }
    end
end
