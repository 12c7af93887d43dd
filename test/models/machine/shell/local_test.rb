require "test_helper"
require_relative "../shell_contract"

class Machine::Shell::LocalTest < ActiveSupport::TestCase
  setup do
    @directory = Dir.mktmpdir
    @shell = Machine::Shell::Local.new
  end

  teardown { FileUtils.rm_rf @directory }

  include MachineShellContract

  test "what is stopped for taking too long is gone with all its children" do
    assert_raises(Machine::CommandFailed) { @shell.execute! "sleep 60 & echo $! >#{@directory}/child; wait", timeout: 0.5 }

    child = File.read("#{@directory}/child").strip
    await { !File.exist?("/proc/#{child}/exe") || File.read("/proc/#{child}/stat").include?(") Z ") }
  end

  test "the passwords of the Testmaster's own database are not handed on" do
    assert_equal "nothing\n", @shell.execute!("echo ${PGPASSWORD:-nothing}${MLMQ_DB_PASSWORD:-}").output
  end
end
