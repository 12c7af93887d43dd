require "test_helper"

class Provider::LocalTest < ActiveSupport::TestCase
  setup do
    @machine = Machine.create!(name: "local", role: "all", provider: providers(:local), test_run: test_runs(:running))
    providers(:local).provision [ @machine ]
    FileUtils.mkdir_p "#{@machine.directory}/broker_0"
  end

  teardown { FileUtils.rm_rf File.dirname(@machine.directory) }

  test "what still works in the folder of a run when its machine is given back is ended, then the folder is removed" do
    @machine.shell.start "sleep 600", directory: "#{@machine.directory}/broker_0"
    pid = Integer(File.read("#{@machine.directory}/broker_0/pid"))

    @machine.release
    assert_predicate @machine, :released?
    refute_path_exists @machine.directory
    assert_raises(Errno::ENOENT) { File.readlink("/proc/#{pid}/cwd") }
  end

  test "the machine of a run is given back also where the next run has one by now" do
    following = Machine.create!(name: "local", role: "all", provider: providers(:local), test_run: test_runs(:draft))
    providers(:local).provision [ following ]

    @machine.release
    assert_equal %w[ released ready ], [ @machine, following ].map { |machine| machine.reload.state }
    refute_path_exists @machine.directory
  end

  test "given back twice, nothing happens; other folders stay" do
    neighbour = "#{@machine.directory}_2".tap { |folder| FileUtils.mkdir_p folder }

    2.times { @machine.release }
    assert_path_exists neighbour
  end
end
