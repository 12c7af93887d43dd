require "test_helper"

class DatabaseServer::OnMachineTest < ActiveSupport::TestCase
  setup do
    @run = test_runs(:running)
    @run.update! database: "machine",
      provider: Provider::Ssh.new(name: "not asked").tap { |provider| provider.save! validate: false }
    @machine = @run.machines.create!(name: "database", role: "database", provider: providers(:local), state: "ready",
      host: "127.0.0.1", directory: Dir.mktmpdir, facts: { memory: 1_000_000 })
    @run.machines.reset
    @run.machines.detect { |machine| machine.role == "database" }.instance_variable_set :@shell,
      @shell = CountingShell.new
    @server = DatabaseServer::OnMachine.new(@run, "desk_test_#{SecureRandom.hex(4)}", "a password")
    @server.prepare
    @shell.commands.clear
  end

  teardown do
    @server.drop "x"
    FileUtils.rm_rf @machine.directory
  end

  test "reads all counters by one command" do
    said = @server.read("postgres",
      [ "COPY (SELECT 'it''s \"one\"') TO STDOUT", "COPY (SELECT 1 WHERE false) TO STDOUT",
        "COPY (VALUES ('two'), ('three')) TO STDOUT" ])

    assert_equal [ "it's \"one\"\n", "", "two\nthree\n" ], said
    assert_equal 1, @shell.commands.size
  end

  test "limits the size of a result" do
    assert_equal "7\n", String.new.tap { |said| @server.copy "postgres", "COPY (SELECT 7) TO STDOUT", said }
    failure = assert_raises(Failure) do
      @server.copy "postgres", "COPY (SELECT repeat('x', 100000)) TO STDOUT",
        Machine::Shell::Bounded.new(String.new, 50_000)
    end

    assert_match "more than the 50000 bytes", failure.message
  end

  test "the console reads by one command, read-only" do
    questions = [ Console::Question.new("SELECT %{text}::text AS text, 1 AS one", text: "it's $1 \\ \n:'x' é"),
      Console::Question.new("CREATE TABLE t (id int)", "SELECT 1 AS one"),
      Console::Question.new("SELECT 1/%{n}::int", n: 0), Console::Question.new("SELECT 7 AS seven") ]
    answers = @server.ask("postgres", questions, settings: Console::LIMITS)

    assert_equal [ { "text" => "it's $1 \\ \n:'x' é", "one" => 1 } ], JSON.parse(answers.first.first)
    assert_predicate answers.second.last, :present?
    assert_predicate answers.third.last, :present?
    assert_equal [ [ { "seven" => 7 } ], nil ], [ JSON.parse(answers.fourth.first), answers.fourth.last ]
    assert_equal 1, @shell.commands.size

    made = Console::Question.new("CREATE TABLE t (id int)", "SELECT 1 AS one")
    assert_equal [ [ '[{"one":1}]', nil ] ], @server.ask("postgres", [ made ], settings: Console::LIMITS, write: true)
    assert_raises(Failure, "the table exists already") do
      @server.ask("postgres", [ made ], settings: Console::LIMITS, write: true)
    end
  end

  class CountingShell < Machine::Shell::Local
    def commands
      @commands ||= []
    end

    private
      def run(command, **)
        commands << command
        super
      end
  end
end
