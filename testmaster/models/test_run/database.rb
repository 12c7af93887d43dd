# The database of one run: a fresh one of its own on the server that the definition names.
class TestRun::Database
  ADVICE = "Check the URL of the database, its user and password, and whether it can be reached from the machines of the run."
  CREATE = "IFS= read -r MLMQ_DB_PASSWORD; export MLMQ_DB_PASSWORD; exec java -jar %{jar} dbscript -url %{url} -db %{name} -user %{user} %{steps}"
  LEFT = <<~SQL
    COPY (
      SELECT place, m.id, q.name AS queue, owner.name AS queue_of, sender.name AS sender, receiver.name AS receiver, prio, context, sent_ms, deliveries,
             octet_length(content) AS bytes, encode(substr(content, 1, 64), 'hex') AS content_begins
      FROM (SELECT 'message' AS place, id, queue_id, receiver_id, sender_id, prio, context, sent_ms, deliveries, content FROM message
            UNION ALL
            SELECT 'lease', message_id, queue_id, receiver_id, sender_id, prio, context, sent_ms, deliveries, content FROM lease) m
      LEFT JOIN queue q ON q.id = m.queue_id
      LEFT JOIN client owner ON owner.id = q.owner_id
      LEFT JOIN client sender ON sender.id = m.sender_id
      LEFT JOIN client receiver ON receiver.id = m.receiver_id
      ORDER BY m.id
    ) TO STDOUT WITH (FORMAT csv, HEADER)
  SQL

  attr_reader :name

  def initialize(test_run)
    @test_run = test_run
    @name = "#{ApplicationRecord.connection_db_config.database}_run_#{test_run.id}"
  end

  def host       = server.fetch(:host)
  def port       = server.fetch(:port)
  def user       = server.fetch(:user)
  def password   = server.fetch(:password).to_s
  def jdbc_url   = "jdbc:postgresql://#{host}:#{port}/#{name}"
  def server_url = "jdbc:postgresql://#{host}:#{port}/#{server.fetch(:database)}"

  def environment
    { "MLMQ_DB_PASSWORD" => password }
  end

  # Made by the run's own jar on a machine of the run, so that it is seen at once whether brokers will reach it.
  def create_from(machine)
    dbscript machine, "-dropDatabase -createDatabase -createTables"
  end

  # Writes what is left in it, a line for each message.
  def dump(io)
    connect(name) do |connection|
      connection.copy_data(LEFT) do
        while row = connection.get_copy_data
          io << row
        end
      end
    end
  end

  def drop
    connect(server.fetch(:database)) { |connection| connection.exec "DROP DATABASE IF EXISTS #{connection.quote_ident(name)} WITH (FORCE)" }
  end

  private
    def server
      @server ||= @test_run.database == "embedded" ? embedded : from_url
    end

    def embedded
      ApplicationRecord.connection.raw_connection.then { |pg| { host: pg.host, port: pg.port, user: pg.user, password: pg.pass, database: "postgres" } }
    end

    def from_url
      uri = URI(@test_run.database.delete_prefix("jdbc:"))
      { host: uri.host, port: uri.port || 5432, user: unescape(uri.user), password: unescape(uri.password),
        database: uri.path.to_s.delete_prefix("/").presence || "postgres" }
    end

    def unescape(text)
      URI::DEFAULT_PARSER.unescape(text.to_s)
    end

    def dbscript(machine, steps)
      command = format(CREATE, jar: machine.jar_path.shellescape, url: server_url.shellescape, name: name, user: user.to_s.shellescape, steps: steps)
      result = machine.shell.execute(command, input: "#{password}\n", timeout: 120)
      raise Failure.new("The database refuses: #{(result.error.presence || result.output).strip.lines.last(3).join.strip}", advice: ADVICE, machine: machine) unless result.success?
    end

    def connect(database)
      connection = PG.connect(host: host, port: port, user: user, password: password, dbname: database, connect_timeout: 10)
      yield connection
    rescue PG::Error => error
      raise Failure.new("The database of the run does not answer: #{error.message.strip}", advice: ADVICE)
    ensure
      connection&.close
    end
end
