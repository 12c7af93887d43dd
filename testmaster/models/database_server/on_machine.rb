# A server that the Testmaster sets up on a machine of the run, with the PostgreSQL that is installed there. It ends
# with the run.
class DatabaseServer::OnMachine
  NOTE_FAILURE =
    "\\if :ERROR\n\\if :fine\n\\set fine 0\n\\set outcome :LAST_ERROR_MESSAGE\n\\endif\n\\endif"

  attr_reader :password

  def initialize(test_run, name, password)
    @test_run, @name, @password = test_run, name, password
  end

  def host        = machine.address
  def port        = machine.database_port
  def user        = @test_run.system.name
  def maintenance = "postgres"
  def database_made? = false

  def prepare
    machine.update! database_port: machine.free_ports.first unless port
    shell.execute! "mkdir -p #{machine.directory.shellescape}"
    run "start", input: "#{password}\n#{configuration}", timeout: 180
  end

  # Returns the result of each statement, with one command.
  def read(database, sqls)
    mark = SecureRandom.hex(16)
    said = run("read", database, mark, *sqls, input: "#{password}\n").output.force_encoding(Encoding::BINARY)
    said.split("#{mark}\n".b, -1).first(sqls.size)
  end

  # Works as Remote#ask. Values are sent in hex, so that no part of them can become SQL.
  def ask(database, questions, settings:, write: false)
    mark = SecureRandom.hex(16)
    script = [ *settings.map { |name, value| "SET #{name} = '#{value}';" },
      *questions.map { |question| script_of(question, mark, write) } ].join("\n")
    said = run("ask", database, write ? 1 : 0, input: "#{password}\n#{script}\n", timeout: 20).output
    said.force_encoding(Encoding::UTF_8).scrub.scan(/(.*?)^#{mark} ([^\n]*)\n/m).map do |text, outcome|
      outcome == "00000" ? [ text.strip, nil ] : [ nil, ForeignText.fit(outcome, 300) ]
    end
  ensure
    machine.close
  end

  def copy(database, sql, io)
    run "read", database, "", sql, input: "#{password}\n", output: io, timeout: 3600
  end

  def shell
    machine.shell
  end

  # The database disappears with its server.
  def drop(database)
    run "stop", timeout: 60
  end

  def inspect
    "#<#{self.class.name} #{@name}>"
  end

  private
    # The script prints the first error behind a mark.
    def script_of(question, mark, write)
      statements = question.statements.map do |sql, values|
        "#{sql.gsub(/\$(\d+)/) { in_hex values[$1.to_i - 1] }};\n#{NOTE_FAILURE}"
      end
      [ "\\set outcome 00000", "\\set fine 1", write ? "BEGIN;" : "BEGIN READ ONLY;", *statements, "COMMIT;",
        "\\echo #{mark} :outcome" ].join("\n")
    end

    def in_hex(value)
      "convert_from(decode('#{value.unpack1("H*")}', 'hex'), 'UTF8')"
    end

    def machine
      @test_run.machines.detect { |machine| machine.role == "database" } or raise Failure,
        "The run has no database machine"
    end

    def configuration
      settings = @test_run.definition.settings_of_postgresql
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
