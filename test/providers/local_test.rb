require "test_helper"

class Provider::LocalTest < ActiveSupport::TestCase
  setup do
    @machine = Machine.create!(name: "local", role: "all", provider: providers(:local), test_run: test_runs(:running))
    providers(:local).provision [ @machine ]
    FileUtils.mkdir_p "#{@machine.directory}/broker_0"
  end

  teardown { FileUtils.rm_rf File.dirname(@machine.directory) }

  test "release ends programs in the folder and removes it" do
    @machine.shell.start "sleep 600", directory: "#{@machine.directory}/broker_0"
    pid = Integer(File.read("#{@machine.directory}/broker_0/pid"))

    @machine.release
    assert_predicate @machine, :released?
    refute_path_exists @machine.directory
    assert_raises(Errno::ENOENT) { File.readlink("/proc/#{pid}/cwd") }
  end

  test "a release leaves the machine of the next run" do
    following = Machine.create!(name: "local", role: "all", provider: providers(:local), test_run: test_runs(:draft))
    providers(:local).provision [ following ]

    @machine.release
    assert_equal %w[ released ready ], [ @machine, following ].map { |machine| machine.reload.state }
    refute_path_exists @machine.directory
  end

  test "a second release leaves other folders" do
    neighbour = "#{@machine.directory}_2".tap { |folder| FileUtils.mkdir_p folder }

    2.times { @machine.release }
    assert_path_exists neighbour
  end
end
