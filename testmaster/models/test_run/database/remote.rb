# A server that is there, reached from here as from the machines of the run.
class TestRun::Database::Remote
  attr_reader :host, :port, :user, :password, :maintenance, :jdbc_options

  def initialize(address)
    @host, @port, @user, @password, @maintenance = address.host, address.port, address.user, address.password.to_s,
      address.name || "postgres"
    @options, @jdbc_options = address.options, address.jdbc_options
  end

  # Whether the run's database is there once the server is prepared, or is made with its tables
  def database_made? = false

  def prepare
  end

  # What each of them says, over one connection.
  def read(database, sqls)
    connect(database) do |connection|
      sqls.map do |sql|
        String.new.tap do |said|
          receive connection, sql, Machine::Shell::Bounded.new(said, Machine::Shell::SAID_AT_MOST)
        end
      end
    end
  end

  def copy(database, sql, io)
    connect(database) { |connection| receive connection, sql, io }
  end

  def drop(database)
    connect(maintenance) do |connection|
      connection.exec "DROP DATABASE IF EXISTS #{connection.quote_ident(database)} WITH (FORCE)"
    end
  end

  def inspect
    "#<#{self.class.name} #{host}:#{port}>"
  end

  private
    # Those of the address, for libpq
    def options
      @options.to_h.symbolize_keys
    end

    def receive(connection, sql, io)
      connection.copy_data(sql) do
        while row = connection.get_copy_data
          io << row
        end
      end
    end

    def connect(database, user: self.user, password: self.password)
      connection = PG.connect(host: host, port: port, user: user, password: password, dbname: database,
        connect_timeout: 10, **options)
      yield connection
    rescue PG::Error => error
      raise Failure.new("The database of the run does not answer: #{error.message.strip}",
        advice: TestRun::Database::ADVICE)
    ensure
      connection&.close
    end
end
