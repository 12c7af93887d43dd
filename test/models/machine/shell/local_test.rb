require "test_helper"
require_relative "../shell_contract"

class Machine::Shell::LocalTest < ActiveSupport::TestCase
  setup do
    @directory = Dir.mktmpdir
    @shell = Machine::Shell::Local.new
  end

  teardown { FileUtils.rm_rf @directory }

  include MachineShellContract

  test "a timeout ends the children of a command" do
    assert_raises(Machine::CommandFailed) do
      @shell.execute! "sleep 60 & echo $! >#{@directory}/child; wait", timeout: 0.5
    end

    child = File.read("#{@directory}/child").strip
    await { !File.exist?("/proc/#{child}/exe") || File.read("/proc/#{child}/stat").include?(") Z ") }
  end

  test "a timeout ends a program that closed its output" do
    assert_raises(Machine::CommandFailed) do
      @shell.execute! "echo $$ >#{@directory}/pid; exec sleep 60 >&- 2>&-", timeout: 0.5
    end
    assert_raises(Errno::ESRCH) { Process.kill 0, File.read("#{@directory}/pid").to_i }
  end

  test "a timeout ends a program with endless output" do
    said = Object.new.tap { |sink| sink.define_singleton_method(:<<) { |_| self } }
    assert_match "not done after 0.5 s",
      assert_raises(Machine::CommandFailed) { @shell.execute! "exec yes", output: said, timeout: 0.5 }.message
  end

  test "refuses to download what is no regular file" do
    File.mkfifo "#{@directory}/fifo"
    File.symlink "/etc/passwd", "#{@directory}/link"
    %w[ fifo link ].each do |name|
      assert_raises(Machine::CommandFailed) { @shell.download "#{@directory}/#{name}", +"" }
    end
  end

  test "hands no secrets of the environment to a program" do
    with_environment "AWS_SECRET_ACCESS_KEY" => "hush", "SSH_AUTH_SOCK" => "/tmp/agent", "PGPASSWORD" => "hush",
      "REDIS_URL" => "hush", "SOME_TOKEN" => "hush", "NEEDED" => "yes", "TESTMASTER_HANDS_ON" => "NEEDED",
      "LC_TIME" => "C" do
      told = @shell.execute!("env").output.lines(chomp: true).to_h { |line| line.split("=", 2) }

      assert_equal ENV.values_at("PATH", "HOME"), told.values_at("PATH", "HOME")
      assert_equal %w[ yes C ], told.values_at("NEEDED", "LC_TIME")
      assert_empty told.keys - OwnEnvironment::NAMES - %w[ NEEDED LC_TIME PWD OLDPWD SHLVL _ ] - ENV.keys.grep(/\ALC_/)
    end
  end

  private
    def with_environment(variables)
      before = ENV.to_h
      ENV.update variables
      yield
    ensure
      ENV.replace before
    end
end
