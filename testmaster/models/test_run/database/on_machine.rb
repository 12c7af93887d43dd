# A server that the Testmaster sets up on a machine of the run, from the PostgreSQL that is installed there, and that
# goes with the run.
class TestRun::Database::OnMachine
  attr_reader :password

  def initialize(test_run, name, password)
    @test_run, @name, @password = test_run, name, password
  end

  def host        = machine.address
  def port        = machine.facts["database_port"]
  def user        = @test_run.system.name
  def maintenance = "postgres"
  def database_made? = false

  def prepare
    machine.update! facts: machine.facts.merge("database_port" => machine.free_ports.first) unless port
    shell.execute! "mkdir -p #{machine.directory.shellescape}"
    run "start", input: "#{password}\n#{configuration}", timeout: 180
  end

  # What each of them says, by one command.
  def read(database, sqls)
    mark = SecureRandom.hex(16)
    said = run("read", database, mark, *sqls, input: "#{password}\n").output.force_encoding(Encoding::BINARY)
    said.split("#{mark}\n".b, -1).first(sqls.size)
  end

  def copy(database, sql, io)
    run "read", database, "", sql, input: "#{password}\n", output: io, timeout: 3600
  end

  def shell
    machine.shell
  end

  # It goes with its server.
  def drop(database)
    run "stop", timeout: 60
  end

  def inspect
    "#<#{self.class.name} #{@name}>"
  end

  private
    def machine
      @test_run.machines.detect { |machine| machine.role == "database" } or raise Failure,
        "The run has no database machine"
    end

    def configuration
      settings = @test_run.database_settings.except(*TestRun::DatabaseSettings::OURS)
      { "max_connections" => 500, "shared_buffers" => "#{machine.facts["memory"].to_i / 4}kB",
        **settings }.map { |name, value| "#{name} = '#{value.to_s.gsub("'", "''")}'\n" }.join
    end

    def run(*words, **options)
      shell.script! "database", @name, port, user, *words, below: machine.directory, **options
    rescue Machine::CommandFailed => failure
      raise Failure.new("PostgreSQL on #{machine.name}: #{failure.message}", machine: machine,
        advice: failure.advice ||
        "Install PostgreSQL there (apt-get install postgresql), and check the settings of the database.")
    end
end
