require "test_helper"

# An installation of commit 805e498 with two runs, a draft and an experiment. The test backs up its data, restores them
# elsewhere, migrates them to the present version and reads its pages.
class OldInstallationTest < ActiveSupport::TestCase
  self.use_transactional_tests = false # programs see only what is committed

  DATA = Rails.root.join("test/fixtures/files/installation_of_805e498.tar.gz")
  PARTS = %w[ docs Gemfile Gemfile.lock Gemfile.ruby31 Gemfile.ruby31.lock Rakefile bin config config.ru db lib public
    testmaster examples vendor vocabulary systems ]
  PASSWORD = "correct horse battery"
  GROUPS = %w[ broker_groups client_groups ]

  setup do
    @folder = Pathname(Dir.mktmpdir)
    @here, @there = installation("here"), installation("there")
    Open3.capture2e("tar", "-xzf", DATA.to_s, "-C", @here.root.to_s)
    execute "postgres", "CREATE DATABASE #{@here.database} TEMPLATE template0 ENCODING 'UTF8'"
    said, status = Open3.capture2e("psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-d", @here.url, "-f",
      @here.root.join("database.sql").to_s)
    raise said unless status.success?
  end

  teardown do
    [ @here, @there ].each { |it| execute "postgres", "DROP DATABASE IF EXISTS #{it.database} WITH (FORCE)" }
    FileUtils.rm_rf @folder
  end

  test "an old installation keeps its data and pages" do
    before, groups = rows(@here), groups_of(@here)
    succeed @here, "backup", @folder.join("archive")
    succeed @there, "restore", @folder.join("archive")
    succeed @there, "rails", "db:prepare", "testmaster:first_account"

    after = rows(@there)
    before.except("schema_migrations", *GROUPS).each { |table, ids| assert_equal ids, after[table], table }
    assert_equal groups, definitions_of(@there)
    assert_equal [ "3 users", "7 test_runs", "1 experiments" ],
      %w[ users test_runs experiments ].map { |table| "#{after[table].size} #{table}" }

    pages = JSON.parse(succeed(@there, "rails", "runner", LOOK.to_s).lines.last)
    assert_operator pages.size, :>, 40
    assert_empty pages.reject { |_, page| page["status"] == 200 }
    assert_includes pages["/test_runs/1"]["text"], "Accepted"
    assert_includes pages["/test_runs/2"]["text"], "There is no revision no_such_revision"
    assert_includes pages["/experiments/1"]["text"], "Workers, in the old version"
    assert_equal 34_698, pages["/test_runs/1/archive"]["bytes"]
    assert_operator pages["/test_runs/1/series.json"]["text"].scan(/"key"/).size, :>, 5
    assert_includes pages["/test_runs/1/logs?q=INFO"]["text"], "broker_0"
  end

  LOOK = Rails.root.join("test/support/look_at_pages.rb")

  private
    Installation = Struct.new(:root, :database, :url)

    def installation(name)
      root = @folder.join(name).tap(&:mkpath)
      PARTS.each { |part| FileUtils.cp_r Rails.root.join(part), root.join(part) }
      %w[ storage tmp log ].each { |part| root.join(part).mkpath }
      database = "testmaster_old_#{name}_#{Process.pid}"
      own = ApplicationRecord.connection.raw_connection
      Installation.new(root, database, "postgresql://#{own.user}:#{own.pass}@#{own.host}:#{own.port}/#{database}")
    end

    def execute(database, sql)
      own = ApplicationRecord.connection.raw_connection
      connection = PG.connect(dbname: database, user: own.user, password: own.pass, host: own.host, port: own.port)
      connection.exec(sql).values
    ensure
      connection&.close
    end

    # @return the groups of all runs from the former tables
    def groups_of(installation)
      GROUPS.flat_map do |table|
        execute(installation.database, "SELECT test_run_id, scenario, jvm_count, settings FROM #{table} " \
          "ORDER BY test_run_id, position, id")
      end
    end

    # @return the same groups from the definitions of the runs
    def definitions_of(installation)
      %w[ brokers clients ].flat_map do |word|
        execute(installation.database, "SELECT id, value ->> 'scenario', value ->> 'jvms', value -> 'settings' " \
          "FROM test_runs, jsonb_array_elements(definition -> '#{word}') WITH ORDINALITY AS groups(value, n) " \
          "ORDER BY id, n")
      end
    end

    # @return { table => ids of its rows }
    def rows(installation)
      tables = execute(installation.database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'").flatten
      tables.index_with do |table|
        column = table.in?(%w[ schema_migrations ar_internal_metadata ]) ? "1" : "id"
        execute(installation.database, "SELECT #{column} FROM #{table} ORDER BY 1").flatten
      end
    end

    def succeed(installation, program, *arguments)
      environment = { "DATABASE_URL" => installation.url, "RAILS_ENV" => "production", "TEST_DATABASE" => nil,
        "PASSWORD_OF_PAGES" => PASSWORD,
        "BUNDLE_GEMFILE" => installation.root.join(Bundler.default_gemfile.basename).to_s }
      said, status = Open3.capture2e(environment, installation.root.join("bin", program).to_s,
        *arguments.map(&:to_s), chdir: installation.root.to_s)
      assert_predicate status, :success?, said.lines.last(30).join
      said
    end
end
