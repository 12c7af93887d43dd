# The server that the Testmaster itself uses. Each run has an account there that owns the run's database and can connect
# to no other. That account also does all reading: code that a broker leaves in the database must not run with the
# Testmaster's permissions.
class DatabaseServer::Embedded < DatabaseServer::Remote
  SPARE_CONNECTIONS = 50 # reserved for the Testmaster
  LIMITS = "SET lock_timeout = '60s'; SET statement_timeout = '120s'"
  # A killed worker may have left a statement running: this waits for it.
  LOCK = "SELECT pg_advisory_lock(hashtext('accounts of test runs'))"
  ADVICE =
    "The Testmaster's own account needs permission to create accounts and databases (ALTER ROLE … " \
      "CREATEROLE CREATEDB). " \
      "Or give the run the address of another database."

  class << self
    def host
      ApplicationRecord.connection.raw_connection.host
    end

    # Returns whether other machines cannot reach it.
    def here_only?
      host.start_with?("/") || Addrinfo.ip(host).then { |address| address.ipv4_loopback? || address.ipv6_loopback? }
    end
  end

  # mark identifies a database of the same name as this run's.
  def initialize(name, password, mark)
    own = ApplicationRecord.connection.raw_connection
    @host, @port, @own_user, @own_password, @own_database = own.host, own.port, own.user, own.pass.to_s, own.db
    @name, @user, @password, @mark = name, name, password, mark
  end

  # The run's account may not create databases.
  def database_made? = true

  def maintenance
    @name
  end

  def prepare
    as_ourselves do |connection|
      keep_to_owner connection, *databases_to_close
      make_account connection
      refuse_open_door connection
      make_database connection unless made?(connection)
    end
  end

  def drop(database)
    as_ourselves do |connection|
      connection.exec "DROP DATABASE IF EXISTS #{quoted} WITH (FORCE)"
      if account?(connection)
        connection.exec "DROP OWNED BY #{quoted}"
        connection.exec "DROP ROLE #{quoted}"
      end
    end
  end

  private
    def as_ourselves
      connect(@own_database, user: @own_user, password: @own_password) do |connection|
        connection.set_notice_processor { }
        connection.exec LIMITS
        connection.exec LOCK
        yield connection
      rescue PG::Error => error
        raise Failure.new("The account of the run cannot be made ready in the Testmaster's own database: " \
          "#{error.message.strip}", advice: ADVICE)
      end
    end

    # On a shared server, other databases may depend on the right to connect.
    def databases_to_close
      [ @own_database, *(%w[ postgres template1 ] if ENV["DATABASE_URL"].blank?) ]
    end

    # PostgreSQL lets every account connect to every database by default. If another Testmaster of the same server
    # revokes this at the same moment, PostgreSQL refuses one of the two changes.
    def keep_to_owner(connection, *databases, attempts: 3)
      names = databases.map { |name| connection.escape_literal(name) }.join(", ")
      open =
        connection.exec("SELECT datname FROM pg_database WHERE datname IN (#{names}) AND pg_has_role(datdba, " \
          "'USAGE') AND has_database_privilege('public', oid, 'CONNECT')")
      open.values.flatten.each do |name|
        connection.exec "REVOKE ALL ON DATABASE #{connection.quote_ident(name)} FROM PUBLIC"
      end
    rescue PG::InternalError
      (attempts -= 1).positive? ? retry : raise
    end

    # If another account owns the Testmaster's database, ours cannot revoke the right to connect.
    def refuse_open_door(connection)
      if connection.exec_params("SELECT has_database_privilege($1, $2, 'CONNECT')", [ user, @own_database ]).getvalue(0,
        0) == "t"
        raise Failure.new("The brokers of the run could connect to the Testmaster's own database",
          advice: "As its owner: REVOKE CONNECT ON DATABASE #{PG::Connection.quote_ident(@own_database)} FROM PUBLIC.")
      end
    end

    def make_account(connection)
      connection.exec "CREATE ROLE #{quoted}" unless account?(connection)
      connection.exec "ALTER ROLE #{quoted} LOGIN CONNECTION LIMIT #{connections_for_run(connection)} PASSWORD " \
        "#{connection.escape_literal(connection.encrypt_password(password, user))}"
      unless connection.exec("SELECT pg_has_role(#{connection.escape_literal(user)}, 'USAGE')").getvalue(0, 0) == "t"
        connection.exec "GRANT #{quoted} TO CURRENT_USER"
      end
    end

    # A database that another run of the same number left is recreated.
    def make_database(connection)
      connection.exec "DROP DATABASE IF EXISTS #{quoted} WITH (FORCE)"
      connection.exec "CREATE DATABASE #{quoted} OWNER #{quoted}"
      connection.exec "REVOKE ALL ON DATABASE #{quoted} FROM PUBLIC"
      connection.exec "COMMENT ON DATABASE #{quoted} IS #{connection.escape_literal(@mark)}"
    end

    def made?(connection)
      connection.exec_params("SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = $1",
        [ @name ]).values == [ [ @mark ] ]
    end

    def account?(connection)
      connection.exec_params("SELECT 1 FROM pg_roles WHERE rolname = $1", [ user ]).ntuples.positive?
    end

    def connections_for_run(connection)
      [ connection.exec("SHOW max_connections").getvalue(0, 0).to_i - SPARE_CONNECTIONS, 10 ].max
    end

    def quoted
      PG::Connection.quote_ident(@name)
    end
end
