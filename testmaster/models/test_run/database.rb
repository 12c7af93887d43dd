# The database of one run: a new one on the server that the definition names.
class TestRun::Database
  include Readings

  attr_reader :name

  delegate :host, :port, :user, :password, to: :server

  def initialize(test_run)
    @test_run = test_run
    @name = "#{ApplicationRecord.connection_db_config.database}_run_#{test_run.id}"
    @system = test_run.system
  end

  # Returns whether the console can read it.
  def lives?
    !gone? && created?
  end

  # A database on a machine ends with the machine.
  def gone?
    !@test_run.at_work? && (!@test_run.keep_database? || @test_run.database == "machine" || happened?("dropped"))
  end

  # The first tells whether any part of it may exist, the second whether it is complete.
  def begun?   = happened?("begun")
  def created? = happened?("created")

  # Creates the shell of its server, for threads that must not use the Testmaster's database.
  def at_hand
    tap { server.try(:shell) }
  end

  def jdbc_url
    jdbc_url_of name
  end

  def environment
    { system.secret => password }
  end

  def description
    "#{name} on #{host}:#{port}"
  end

  # Prepares the server if it is the run's own; a further call does what is missing.
  def prepare
    server.prepare
  end

  # The run's own jar creates it from a machine of the run, which shows at once whether brokers can reach it. A database
  # whose clients sign in gets their user, too.
  def create_from(machine)
    making = system.making_tables(url: jdbc_url_of(server.maintenance), name: name, user: user.to_s, fill: fill,
      indexes: @test_run.database_settings["indexes"] != "off", database_made: server.database_made?)
    perform_once machine, "database", making
    @test_run.credentials.making_user(url: jdbc_url, user: user.to_s).each do |mark, command, secret|
      perform_once machine, mark, command, secret
    end
  end

  # This runs on the machine that creates it, before it is dropped.
  def give_up_on(machine)
    machine.script! "give_up_database", timeout: 600
  end

  # Asks questions of the console.
  def ask(questions, **options)
    server.ask name, questions, **options
  end

  def drop
    server.drop name
  end

  # The result does not contain the server's password.
  def inspect
    "#<#{self.class.name} #{name}>"
  end

  private
    # The command reads the secret from its standard input.
    def perform_once(machine, mark, command, secret = nil)
      result = machine.script "once", mark, system.secret, *command, input: "#{password}\n#{secret}\n", timeout: 600
      unless result.success?
        raise failure_of((result.error.presence || result.output).strip.lines.last(3).join.strip, machine)
      end
    end

    def happened?(what)
      @test_run.events.exists?(name: "database_#{what}")
    end

    def failure_of(words, machine)
      if system.jar_gone?(words)
        Failure.new("The database cannot be made: #{words}", advice: system.advice_on(words), machine: machine)
      else
        advice = DatabaseServer.advice_on(words)
        Failure.new("The database refuses: #{words}", advice: advice, machine: machine)
      end
    end

    # Returns the initial data as "20,6000,100": queues, messages and clients.
    def fill
      @test_run.database_settings["fill"].presence&.delete(" ")
    end

    def jdbc_url_of(database)
      "jdbc:postgresql://#{host.include?(":") ? "[#{host}]" : host}:#{port}/#{database}#{server.try(:jdbc_options)}"
    end

    # The password is derived from a secret of this Testmaster, so that it is not stored.
    def secret
      Rails.application.key_generator.generate_key("database of #{mark}", 24).unpack1("H*")
    end

    def mark
      "test run #{@test_run.id} of #{@test_run.created_at&.to_fs(:usec)}"
    end

    attr_reader :system

    def server
      @server ||= find_server
    end

    def find_server
      case @test_run.database
      when "embedded" then DatabaseServer::Embedded.new(name, secret, mark)
      when "machine"  then DatabaseServer::OnMachine.new(@test_run, name, secret)
      else DatabaseServer::Remote.new(Address::Database.new(@test_run.database))
      end
    end
end
