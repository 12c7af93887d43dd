require "test_helper"

class Machine::GlanceableTest < ActiveSupport::TestCase
  setup do
    @directory = Pathname(Dir.mktmpdir)
    @machine = machines(:running_local)
    @machine.update! directory: @directory.to_s
    @folder = @directory.join("broker_0").tap(&:mkpath)
  end

  teardown { FileUtils.rm_rf @directory }

  test "a JVM is alive until its exit code is written" do
    File.mkfifo @folder.join("gate")
    @folder.join("pid").write "#{unused_pid}\n"
    keeper = Process.spawn("read word <gate; echo 3 >exit_code", chdir: @folder.to_s)
    @folder.join("keeper").write "#{keeper}\n"
    assert_equal [ "alive", nil ], glance

    @folder.join("gate").write "\n"
    Process.wait keeper
    assert_equal [ "exited", 3 ], glance
  end

  test "a JVM that ended together with its keeper is lost" do
    @folder.join("pid").write "#{unused_pid}\n"
    @folder.join("keeper").write "#{unused_pid}\n"

    assert_equal [ "lost", nil ], glance
  end

  test "reads response times of a JVM up to a limit" do
    @folder.join("logs").mkpath
    @folder.join("logs/stdout.log").write %({"state":"measuring"}\n)
    @folder.join("logs/times_broker_0.txt").write "HISTFAAAAFF4nJNp="
    seen = @machine.glance([ "broker_0" ]).fetch("broker_0")
    assert_equal [ "HISTFAAAAFF4nJNp=", "measuring" ], [ seen.times, seen.progress["state"] ]

    @folder.join("logs/times_broker_0.txt").write "A" * 300_000
    assert_operator @machine.glance([ "broker_0" ]).fetch("broker_0").times.size, :<=, 200_000
  end

  test "ignores a line that is no JSON object" do
    @folder.join("logs").mkpath
    [ %({"state":"ready","queue":00}), %({"state":"ready"}}), "{}[]{}" ].each do |line|
      @folder.join("logs/stdout.log").write "#{line}\n"
      seen = @machine.glance([ "broker_0" ]).fetch("broker_0")
      assert_equal [ nil, {} ], [ seen.line, seen.progress ], line
    end
  end

  test "measures shares in percent and bytes per second" do
    @directory.join("monitor").mkpath
    assert_includes Rails.root.join("lib/machine/monitor.sh").read, %("#{Machine::Glanceable::COLUMNS.join(",")}")
    @machine.glance []
    assert_nil @machine.measured

    csv = @directory.join("monitor/machine.csv")
    csv.write "#{Machine::Glanceable::COLUMNS.join(",")}\n1383684920000,.5,0,1,4,0,0,0,0,0,0,3000.5\n"
    @machine.glance []
    assert_nil @machine.measured, "one line has no interval"

    csv.open("a") { |io| io << "1383684922000,0.6,0.0100,1024,4096,4000,2000,0,1000,0.4000,0.1900,3000.5\n" }
    @machine.glance []
    assert_nil @machine.measured, "an invalid line is left out"
    csv.open("a") { |io| io << "1383684924000,0.6,0.0200,1024,4096,4000,2000,0,1000,0.4000,0.1800,NaN\n" }
    @machine.glance []
    assert_equal [ 2, { "user" => 40.0, "system" => 18.0, "steal" => 2.0, "memory" => 25.0, "net_rx" => 2000.0,
      "net_tx" => 1000.0, "disk_read" => 0.0, "disk_written" => 500.0 } ], @machine.measured.to_a.drop(1)
  end

  test "stops its monitor, which leaves whole lines" do
    folder = @directory.join("monitor").tap(&:mkpath)
    @machine.send :start_monitor
    lines = await { folder.glob("machine.csv").first&.readlines.then { |read| read if read.to_a.size > 1 } }
    @machine.stop_monitor

    assert_path_exists folder.join("exit_code")
    assert_raises(Errno::ESRCH) { Process.kill 0, folder.join("pid").read.to_i }
    assert_equal [ Machine::Glanceable::COLUMNS.size ], lines.map { |line| line.chomp.split(",").size }.uniq
    assert folder.join("machine.csv").read.end_with?("\n")
    assert_operator lines.last.split(",").last.to_f, :>, 100, "us of processor time for a piece of work"
  end

  test "its monitor tells which programs outside of the run take processor time" do
    folder = @directory.join("monitor").tap(&:mkpath)
    ours, foreign, other_ruby = %w[ burns_ours burns_foreign ruby_elsewhere ].map { |name| burn name }
    testmaster = burn "ruby3.1", chdir: Rails.root.to_s
    @folder.join("keeper").write "#{ours}\n"
    @machine.send :start_monitor
    rows = await { folder.glob("programs.csv").first&.readlines(chomp: true)&.then { |it| it if it.size > 2 } }
    @machine.stop_monitor

    assert_equal "ms,program,share", rows.first
    rows.drop(1).each { |row| assert_match(/\A\d{13},(\*|[\w.:+-]{1,15}),(0\.\d{4}|1\.0000)\z/, row) }
    programs = rows.drop(1).map { |row| row.split(",")[1] }
    assert_equal "*", programs.first
    assert_includes programs, "burns_foreign"
    assert_includes programs, "ruby_elsewhere"
    assert_includes programs, "Testmaster"
    assert_empty programs & %w[ burns_ours ruby3.1 ]
  ensure
    [ ours, foreign, other_ruby, testmaster ].compact.each { |pid| Process.kill("KILL", pid) && Process.wait(pid) }
  end

  private
    def glance
      @machine.glance([ "broker_0" ]).fetch("broker_0").then { |glance| [ glance.state, glance.exit_code ] }
    end

    # Starts a program that takes all it gets, in a session of its own.
    def burn(name, **options)
      File.symlink "/bin/sh", @directory.join(name)
      Process.spawn "setsid", @directory.join(name).to_s, "-c", "while :; do :; done", chdir: @directory.to_s, **options
    end

    def unused_pid
      Process.spawn("true").tap { |pid| Process.wait pid }
    end
end
