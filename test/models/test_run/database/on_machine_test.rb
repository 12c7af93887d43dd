require "test_helper"

class TestRun::Database::OnMachineTest < ActiveSupport::TestCase
  setup do
    @run = test_runs(:running)
    @run.update! database: "machine",
      provider: Provider::Ssh.new(name: "not asked").tap { |provider| provider.save! validate: false }
    @machine = @run.machines.create!(name: "database", role: "database", provider: providers(:local), state: "ready",
      host: "127.0.0.1", directory: Dir.mktmpdir, facts: { memory: 1_000_000 })
    @run.machines.reset
    @run.machines.detect { |machine| machine.role == "database" }.instance_variable_set :@shell,
      @shell = CountingShell.new
    @server = TestRun::Database::OnMachine.new(@run, "desk_test_#{SecureRandom.hex(4)}", "a password")
    @server.prepare
    @shell.commands.clear
  end

  teardown do
    @server.drop "x"
    FileUtils.rm_rf @machine.directory
  end

  test "the machine that is measured is asked for all counters by one command, and nothing is copied to it again" do
    said = @server.read("postgres",
      [ "COPY (SELECT 'it''s \"one\"') TO STDOUT", "COPY (SELECT 1 WHERE false) TO STDOUT",
        "COPY (VALUES ('two'), ('three')) TO STDOUT" ])

    assert_equal [ "it's \"one\"\n", "", "two\nthree\n" ], said
    assert_equal 1, @shell.commands.size
  end

  test "what it has to say is bounded" do
    assert_equal "7\n", String.new.tap { |said| @server.copy "postgres", "COPY (SELECT 7) TO STDOUT", said }
    failure = assert_raises(Failure) do
      @server.copy "postgres", "COPY (SELECT repeat('x', 100000)) TO STDOUT",
        Machine::Shell::Bounded.new(String.new, 50_000)
    end

    assert_match "more than the 50000 bytes", failure.message
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
