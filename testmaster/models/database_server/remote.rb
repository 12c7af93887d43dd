# An existing server that the Testmaster and the machines of the run can reach.
class DatabaseServer::Remote
  SILENCE = 5 # seconds, longer than any limit of a statement of the console
  CONNECTED_WITHIN = 10
  READ_WITHIN, DROPPED_WITHIN, COPIED_WITHIN = 30, 60, 3600 # seconds

  attr_reader :host, :port, :user, :password, :maintenance, :jdbc_options

  def initialize(address)
    @host, @port, @user, @password, @maintenance = address.host, address.port, address.user, address.password.to_s,
      address.name || "postgres"
    @options, @jdbc_options = address.options, address.jdbc_options
  end

  # Returns whether the run's database exists once the server is prepared; otherwise it is created with its tables.
  def database_made? = false

  def prepare
  end

  # Returns the result of each statement, over one connection.
  def read(database, sqls)
    connect(database) do |connection|
      sqls.map do |sql|
        String.new.tap do |said|
          receive connection, sql, Machine::Shell::Bounded.new(said, Machine::Limits::SAID)
        end
      end
    end
  end

  def copy(database, sql, io)
    connect(database) { |connection| receive connection, sql, io, within: COPIED_WITHIN }
  end

  # Returns an answer for each question, over one connection: [ text, nil ], or [ nil, reason ].
  def ask(database, questions, settings:, write: false)
    connect(database, patience: Console::PATIENCE) do |connection|
      settings.each { |name, value| say connection, "SELECT set_config($1, $2, false)", [ name, value ] }
      questions.map { |question| answer(connection, question, write) }
    end
  end

  def drop(database)
    connect(maintenance) do |connection|
      say connection, "DROP DATABASE IF EXISTS #{connection.quote_ident(database)} WITH (FORCE)", within: DROPPED_WITHIN
    end
  end

  def inspect
    "#<#{self.class.name} #{host}:#{port}>"
  end

  private
    # Returns the options of the address for libpq.
    def options
      @options.to_h.symbolize_keys
    end

    def answer(connection, question, write)
      say connection, write ? "BEGIN" : "BEGIN READ ONLY"
      text = question.statements.map { |sql, values| say connection, sql, values }.last.getvalue(0, 0)
      say connection, "COMMIT"
      [ text, nil ]
    rescue PG::ServerError => error
      say connection, "ROLLBACK"
      [ nil, error.result&.error_field(PG::Result::PG_DIAG_MESSAGE_PRIMARY) || error.message ]
    end

    # The server ends a statement that takes too long. A server that does not even do that is abandoned.
    def say(connection, sql, values = [], within: SILENCE)
      connection.send_query_params sql, values
      last_result connection, Machine::Shell::Ssh::Patience.new(within), within
    end

    # The rest of the output is lost with the connection: the size and the time of an answer are limited.
    def receive(connection, sql, io, within: READ_WITHIN)
      patience = Machine::Shell::Ssh::Patience.new(within)
      connection.send_query sql
      heard connection.block(patience.left), within
      connection.get_result.check
      while row = next_row(connection, patience, within)
        io << row
      end
      last_result connection, patience, within
    end

    def next_row(connection, patience, within)
      while (row = connection.get_copy_data(true)) == false
        heard connection.socket_io.wait_readable(patience.left), within
        connection.consume_input
      end
      heard !patience.over?, within
      row
    end

    def last_result(connection, patience, within)
      last = nil
      loop do
        heard connection.block(patience.left), within
        result = connection.get_result or break
        last = result
      end
      last.tap(&:check)
    end

    def heard(something, within)
      something or raise PG::ConnectionBad, "it was not done after #{within} s"
    end

    # patience is in seconds and takes precedence over the address.
    def connect(database, user: self.user, password: self.password, patience: nil)
      within = patience || CONNECTED_WITHIN
      # libpq's own limit does not cover the first response about encodings.
      connection = Timeout.timeout(within + 1, PG::ConnectionBad, "no response within #{within + 1} s") do
        PG.connect host: host, port: port, user: user, password: password, dbname: database,
          **{ connect_timeout: within }.merge(options), **{ connect_timeout: patience }.compact
      end
      yield connection
    rescue PG::Error => error
      raise Failure.new("The database does not answer: #{error.message.strip}",
        advice: DatabaseServer::ADVICE)
    ensure
      connection&.close
    end
end
