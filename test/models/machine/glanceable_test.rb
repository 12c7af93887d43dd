require "test_helper"

class Machine::GlanceableTest < ActiveSupport::TestCase
  setup do
    @directory = Pathname(Dir.mktmpdir)
    @machine = machines(:running_local)
    @machine.update! directory: @directory.to_s
    @folder = @directory.join("broker_0").tap(&:mkpath)
  end

  teardown { FileUtils.rm_rf @directory }

  test "a JVM that has ended is asked for its exit code as long as its keeper lives, however slow that is" do
    @folder.join("pid").write "#{pid_of_nobody}\n"
    keeper = Process.spawn("sleep 1; echo 3 >exit_code", chdir: @folder.to_s)
    @folder.join("keeper").write "#{keeper}\n"

    assert_equal [ "exited", 3 ], glance
  ensure
    Process.wait keeper
  end

  test "a JVM that has ended, and its keeper too, is lost" do
    @folder.join("pid").write "#{pid_of_nobody}\n"
    @folder.join("keeper").write "#{pid_of_nobody}\n"

    assert_equal [ "lost", nil ], glance
  end

  private
    def glance
      @machine.glance([ "broker_0" ]).fetch("broker_0").then { |glance| [ glance.state, glance.exit_code ] }
    end

    def pid_of_nobody
      Process.spawn("true").tap { |pid| Process.wait pid }
    end
end
