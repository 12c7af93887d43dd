require "test_helper"

class Machine::GlanceableTest < ActiveSupport::TestCase
  setup do
    @directory = Pathname(Dir.mktmpdir)
    @machine = machines(:running_local)
    @machine.update! directory: @directory.to_s
    @folder = @directory.join("broker_0").tap(&:mkpath)
  end

  teardown { FileUtils.rm_rf @directory }

  test "a JVM lives until its keeper has noted its exit code, however slow that is" do
    File.mkfifo @folder.join("gate")
    @folder.join("pid").write "#{pid_of_nobody}\n"
    keeper = Process.spawn("read word <gate; echo 3 >exit_code", chdir: @folder.to_s)
    @folder.join("keeper").write "#{keeper}\n"
    assert_equal [ "alive", nil ], glance

    @folder.join("gate").write "\n"
    Process.wait keeper
    assert_equal [ "exited", 3 ], glance
  end

  test "a JVM that has ended, and its keeper too, is lost" do
    @folder.join("pid").write "#{pid_of_nobody}\n"
    @folder.join("keeper").write "#{pid_of_nobody}\n"

    assert_equal [ "lost", nil ], glance
  end

  test "the response times of a JVM come with it, up to a limit" do
    @folder.join("logs").mkpath
    @folder.join("logs/stdout.log").write %({"state":"measuring"}\n)
    @folder.join("logs/times_broker_0.txt").write "HISTFAAAAFF4nJNp="
    seen = @machine.glance([ "broker_0" ]).fetch("broker_0")
    assert_equal [ "HISTFAAAAFF4nJNp=", "measuring" ], [ seen.times, seen.progress["state"] ]

    @folder.join("logs/times_broker_0.txt").write "A" * 300_000
    assert_operator @machine.glance([ "broker_0" ]).fetch("broker_0").times.size, :<=, 200_000
  end

  private
    def glance
      @machine.glance([ "broker_0" ]).fetch("broker_0").then { |glance| [ glance.state, glance.exit_code ] }
    end

    def pid_of_nobody
      Process.spawn("true").tap { |pid| Process.wait pid }
    end
end
