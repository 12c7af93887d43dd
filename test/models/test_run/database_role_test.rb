require "test_helper"

# Checks what brokers can reach in the database server of the Testmaster.
class TestRun::DatabaseRoleTest < ActiveSupport::TestCase
  include RunsHelper

  setup do
    @run = build_run.tap(&:save!)
    @database = @run.run_database
    @database.prepare
  end

  teardown { @database.drop }

  test "brokers get a role that owns only its database" do
    own = ApplicationRecord.connection.raw_connection
    assert_not_equal [ own.user, own.pass ], [ @database.user, @database.password ]
    assert_equal({ "MLMQ_DB_PASSWORD" => @database.password }, @database.environment)
    assert_equal [ [ "f", "f", "f", "f", "f" ] ],
      ask("SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = " \
        "current_user")
    assert_equal [ [ @database.name ] ],
      ask("SELECT datname FROM pg_database WHERE datdba = (SELECT oid FROM pg_roles WHERE rolname = current_user)")
    assert_raises(PG::InsufficientPrivilege) { ask "COPY (SELECT 1) TO PROGRAM 'id'" }
    assert_raises(PG::InsufficientPrivilege) { ask "SELECT * FROM pg_authid" }
  end

  test "the role reaches no other database" do
    other = build_run.tap(&:save!).run_database
    other.prepare

    closed = @database.send(:server).send(:databases_to_close)
    assert_includes closed, ApplicationRecord.connection_db_config.database
    [ *closed, other.name ].each do |name|
      assert_raises(PG::ConnectionBad, name) { ask "SELECT 1", in_database: name }
    end
  ensure
    other&.drop
  end

  test "a shared server's other databases stay public" do
    said, was, own = Queue.new, ENV["DATABASE_URL"], ApplicationRecord.connection_db_config.database
    watching = Module.new { define_method(:exec) { |sql, *rest| said << sql && super(sql, *rest) } }
    PG::Connection.prepend watching
    ENV["DATABASE_URL"] = "postgresql://shared.example.org/#{own}"
    @database.prepare

    asked = Array.new(said.size) { said.pop }.grep(/has_database_privilege\('public'/).sole
    assert_match "('#{own}')", asked
    assert_no_match(/template1|'postgres'/, asked)
  ensure
    ENV["DATABASE_URL"] = was
    watching.remove_method :exec
  end

  test "reading a broker's database grants it no privileges" do
    ask "CREATE FUNCTION climb() RETURNS text LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'ALTER ROLE ' || " \
      "quote_ident('#{@database.user}') || ' SUPERUSER'; RETURN 'up'; END $$"
    ask "CREATE VIEW message AS SELECT 1 AS id, 1 AS queue_id, 1 AS receiver_id, 1 AS sender_id, 1 AS prio, climb() " \
      "AS context, 1 AS sent_ms, 1 AS deliveries, ''::bytea AS content"
    ask "CREATE TABLE lease AS SELECT *, id AS message_id FROM message WITH NO DATA"
    ask "CREATE TABLE queue (id int, name text, owner_id int)"
    ask "CREATE TABLE client (id int, name text)"

    assert_raises(Failure) { @database.dump StringIO.new }
    assert_equal [ [ "f" ] ], ask("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
  end

  test "a second prepare keeps the data of this run only" do
    ask "CREATE TABLE kept (id int)"
    TestRun::Database.new(TestRun.find(@run.id)).prepare
    assert_empty ask("SELECT * FROM kept")

    @run.update! created_at: 1.minute.ago
    @database = TestRun::Database.new(@run)
    @database.prepare
    assert_raises(PG::UndefinedTable) { ask "SELECT * FROM kept" }
  end

  test "concurrent prepares make one role and database" do
    Array.new(3) { Thread.new { TestRun::Database.new(@run) } }
      .map(&:value).map { |database| Thread.new { database.prepare } }.each(&:join)
    hanging_on = connect(@database.name)
    @database.drop

    assert_equal 0,
      ApplicationRecord.connection.select_value("SELECT count(*) FROM pg_roles WHERE rolname = '#{@database.user}'")
    assert_equal 0,
      ApplicationRecord.connection.select_value("SELECT count(*) FROM pg_database WHERE datname = '#{@database.name}'")
  ensure
    hanging_on&.close
  end

  private
    def ask(sql, in_database: @database.name)
      connection = connect(in_database)
      connection.exec(sql).values
    ensure
      connection&.close
    end

    def connect(name)
      PG.connect host: @database.host, port: @database.port, user: @database.user, password: @database.password,
        dbname: name
    end
end
