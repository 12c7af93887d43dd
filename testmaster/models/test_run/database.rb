# The database of one run: a fresh one of its own on the server that the definition names.
class TestRun::Database
  include Readings

  attr_reader :name

  delegate :host, :port, :user, :password, to: :server

  def initialize(test_run)
    @test_run = test_run
    @name = "#{ApplicationRecord.connection_db_config.database}_run_#{test_run.id}"
    @system = test_run.system
  end

  # Whether there is something for the console to look into
  def lives?
    !gone? && created?
  end

  # What is on a machine goes with it.
  def gone?
    !@test_run.at_work? && (!@test_run.keep_database? || @test_run.database == "machine" || happened?("dropped"))
  end

  # Whether there may be something of it, and whether it is all there
  def begun?   = happened?("begun")
  def created? = happened?("created")

  # With its server's shell made, for whoever must leave our own database alone.
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

  # Makes the server ready, where it is one of the run's own; asked again it does what is missing.
  def prepare
    server.prepare
  end

  # Made by the run's own jar on a machine of the run, so that it is seen at once whether brokers will reach it.
  def create_from(machine)
    making = system.making_tables(url: jdbc_url_of(server.maintenance), name: name, user: user.to_s, fill: fill,
      database_made: server.database_made?)
    result = machine.script "make_database", system.secret, *making, input: "#{password}\n", timeout: 600
    unless result.success?
      raise failure_of((result.error.presence || result.output).strip.lines.last(3).join.strip, machine)
    end
  end

  # To be called on the machine where it would be made, before it is dropped.
  def give_up_on(machine)
    machine.script! "give_up_database", timeout: 600
  end

  # Questions of the console
  def ask(questions, **options)
    server.ask name, questions, **options
  end

  def drop
    server.drop name
  end

  # No exception shows the server's password.
  def inspect
    "#<#{self.class.name} #{name}>"
  end

  private
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

    # "20,6000,100": queues, messages and clients to begin with
    def fill
      @test_run.database_settings["fill"].presence&.delete(" ")
    end

    def jdbc_url_of(database)
      "jdbc:postgresql://#{host.include?(":") ? "[#{host}]" : host}:#{port}/#{database}#{server.try(:jdbc_options)}"
    end

    # Made from what only this Testmaster knows, so that it is kept nowhere.
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
