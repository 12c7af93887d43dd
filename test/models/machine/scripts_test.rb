require "test_helper"
require "open3"

# Tests lib/machine/*.sh under each shell that a machine may have as sh, and how the scripts reach a machine.
class Machine::ScriptsTest < ActiveSupport::TestCase
  TIMES = "logs/times_*.txt"

  SCRIPTS = Rails.root.join("lib/machine")

  # Records each command that it runs.
  class RecordingShell < Machine::Shell::Local
    attr_reader :commands

    def initialize
      super
      @commands = Queue.new
    end

    private
      def run(command, **options)
        @commands << command
        super
      end
  end

  setup { @folder = Pathname(Dir.mktmpdir).join("run_7").tap(&:mkpath) }

  teardown do
    sh "sh", "remove_folder", @folder, "nobody"
    FileUtils.rm_rf @folder.dirname
  end

  %w[ dash bash ].each do |shell|
    test "#{shell}: a program starts once and is controlled" do
      @folder.join("broker_0").mkpath
      @folder.join("it.sh").write "trap 'exit 3' TERM; echo '{\"rate\":1}'; while :; do [ ! -e ../answer ] || { echo " \
        "\"now;it's;OK;fine\"; } >>command.txt.result; sleep 0.05; done"
      2.times { sh shell, "start", @folder.join("broker_0"), "sh ../it.sh", input: "WORD=it's $HOME\n\n" }
      seen = "broker_0 alive\nclient_1 none\n==> broker_0/logs/stdout.log <==\n{\"rate\":1}\n"
      await { sh(shell, "glance", @folder, TIMES, "broker_0", "client_1") == seen }

      sh shell, "send_command", @folder, "command.txt", "rate 7; $(date)", "broker_0"
      assert_equal "rate 7; $(date)\n", @folder.join("broker_0/command.txt").read
      @folder.join("broker_0/command.txt").delete
      @folder.join("answer").write ""
      assert_equal "broker_0;OK;fine\n", sh(shell, "ask", @folder, "command.txt", "it's", "10", "broker_0")
      assert_equal "client_1;UNANSWERED;it does not run\n",
        sh(shell, "ask", @folder, "command.txt", "it's", "10", "client_1")

      sh shell, "signal", @folder, "TERM", "broker_0", "client_1"
      await { sh(shell, "glance", @folder, TIMES, "broker_0").match?(/\Abroker_0 exited 3 \d{1,5}\n/) }
      File.utime(*[ 90.seconds.ago.to_time ] * 2, @folder.join("broker_0/exit_code"))
      age = sh(shell, "glance", @folder, TIMES, "broker_0")[/\Abroker_0 exited 3 (\d+)\n/, 1].to_i
      assert_in_delta 90_000, age, 60_000
      kept = %w[ config.properties command.txt.result ]
      assert_equal %w[ broker_0/command.txt.result broker_0/logs/stdout.log ],
        Machine::Listing.new(sh(shell, "compress", @folder, *kept),
          kept).files.map(&:path) - %w[ broker_0/logs/stderr.log ]
    end

    { "upload" => %w[ file 9 ], "receive" => %w[ . version ] }.each do |script, arguments|
      test "#{shell}: #{script} leaves nothing when it is told to end" do
        input, receiver = Open3.pipeline_w([ shell, SCRIPTS.join("#{script}.sh").to_s, *arguments,
          { chdir: @folder.to_s, pgroup: true, err: File::NULL } ])
        await { @folder.glob("**/*.part").any? }
        await { reads?(receiver.first.pid) }
        Process.kill "TERM", -receiver.first.pid
        refute_predicate receiver.first.value, :success?
        assert_empty @folder.glob("**/*") - [ @folder.join("machine") ]
      ensure
        input&.close
      end
    end

    test "#{shell}: receive leaves nothing of a tar that is cut off" do
      sh shell, "receive", @folder, "version", input: Machine::Shell::Scripts.tar.first(1_000), status: 1
      assert_empty @folder.glob("machine/*")
    end

    test "#{shell}: a killed start starts nothing twice" do
      jvm, shims = @folder.join("broker_0").tap(&:mkpath), @folder.dirname.join("shims").tap(&:mkpath)
      { "mkdir" => "until [ -e go_on ]; do : >begun; sleep 0.02; done; /bin/mkdir \"$@\"",
        "mv" => "until [ -e started.$PPID ]; do sleep 0.02; done; : >moved; /bin/mv \"$@\"" }.each do |name, slow|
        shims.join(name).write "#!/bin/sh\n#{slow}\n", perm: 0o755
      end
      command = [ shell, SCRIPTS.join("start.sh").to_s, jvm.to_s, "sh -c ': >started.$PPID; sleep 600'" ]
      slow = { "PATH" => "#{shims}:#{ENV.fetch("PATH")}" }
      input, killed = Open3.pipeline_w([ slow, *command ])
      input.puts
      await { jvm.join("begun").exist? }
      Process.kill "KILL", killed.first.pid
      killed.first.join

      again = Thread.new { Open3.capture2e(*command, stdin_data: "\n") }
      await { !again.alive? || waits_for_lock?(jvm) }
      jvm.join("go_on").write ""
      assert_predicate again.value.last, :success?
      await { jvm.join("moved").exist? }
      assert_equal 1, jvm.glob("started.*").size
    ensure
      input&.close
    end

    test "#{shell}: only its owner removes a folder" do
      folder = @folder.dirname.join("with [b]rackets/run_8")
      assert_equal "#{folder}\n", sh(shell, "make_folder", folder, "one of us")
      assert_match "belongs to another Testmaster", sh(shell, "make_folder", folder, "somebody else", status: 1)
      folder.join("broker_0").mkpath
      sh shell, "start", folder.join("broker_0"), "sleep 600", input: "\n"
      pid = folder.join("broker_0/pid").read.to_i

      sh shell, "remove_folder", folder, "somebody else"
      assert_path_exists folder
      sh shell, "remove_folder", folder, "one of us"
      refute_path_exists folder
      await { !File.exist?("/proc/#{pid}/cwd") }
    end

    test "#{shell}: reports facts and writes whole files" do
      said, = Open3.capture2e(shell, "-c", Machine::Shell::Scripts.texts["facts"])
      facts = said.lines.to_h { |line| line.chomp.split("=", 2) }
      assert_equal Machine::Knowable::KNOWN, facts.keys
      assert_match(/version/, facts["java"])

      sh shell, "upload", @folder.join("a file"), "3", "600", input: "abc"
      sh shell, "upload", @folder.join("a file"), "4", input: "xyz", status: 1
      assert_equal [ "abc", "100600" ], [ @folder.join("a file").read, @folder.join("a file").stat.mode.to_s(8) ]
      assert_equal [ "a file" ], @folder.children.map { |child| child.basename.to_s }
    end
  end

  test "scripts are sent once to a folder" do
    shell, later = RecordingShell.new, RecordingShell.new
    2.times do
      assert_equal "broker_0 none\n", shell.script!("glance", @folder, TIMES, "broker_0", below: @folder).output
    end
    later.script! "glance", @folder, TIMES, "broker_0", below: @folder

    assert_equal 4, shell.commands.size
    assert_equal 1, later.commands.size
    assert_equal [ Machine::Shell::Scripts.version ],
      @folder.join("machine").children.map { |child| child.basename.to_s }
    sent = @folder.join("machine", Machine::Shell::Scripts.version).children.to_h { |path|
      [ path.basename(".sh").to_s, path.read ] }
    assert_equal Machine::Shell::Scripts.texts, sent
    assert_empty SCRIPTS.glob("*.sh").map { |path| path.basename(".sh").to_s } - sent.keys
    assert_equal Rails.root.join("systems/rabbitmq/serve.sh").read, sent["serve_rabbitmq"]
  end

  test "a script that is sent late still gets its input" do
    @folder.join("broker_0").mkpath
    RecordingShell.new.start "sh -c 'echo $WORD'", directory: @folder.join("broker_0"),
      environment: { "WORD" => "whole" }, below: @folder
    assert_equal "whole\n",
      await { @folder.join("broker_0/logs/stdout.log").then { |log| log.read.presence if log.exist? } }
  end

  test "scripts that several threads send are whole" do
    threads = Array.new(6) do
      Thread.new { RecordingShell.new.script!("glance", @folder, TIMES, "broker_0", below: @folder).output }
    end

    assert_equal [ "broker_0 none\n" ], threads.map(&:value).uniq
    assert_equal [ Machine::Shell::Scripts.version ],
      @folder.join("machine").children.map { |child| child.basename.to_s }
  end

  test "a missing folder of a run is not made again" do
    @folder.rmtree
    refused = assert_raises(Machine::CommandFailed) do
      RecordingShell.new.script! "glance", @folder, TIMES, "broker_0", below: @folder
    end
    assert_match "receive.sh", refused.message
    refute_path_exists @folder
  end

  test "each script documents its usage" do
    SCRIPTS.glob("*.sh").each do |path|
      assert_match(/^# (usage: #{path.basename}|Writes a line a second)/, path.read, path.basename.to_s)
    end
  end

  # The rest of the first response comes after its timeout, that of the second immediately.
  test "a response in two pieces is read as one" do
    serve = SCRIPTS.join("serve.sh").read
    functions = %w[ forget_reader ask_reader ].map { |name| serve[/^#{name}\(\) \{.*?^\}\n/m] }
    output, = Open3.capture2e("bash", "-u", stdin_data: <<~SH, chdir: @folder.to_s)
      #{functions.join}
      mkdir logs; mkfifo gate; reader='' reply='' asked='' heard=''
      launch_reader() {
        read -r; printf 10; read -r <gate; printf '0 8 25\\n'
        while read -r; do printf '200 9 27\\n'; done
      }
      answer() { for _ in $(seq 40); do ask_reader figures && return; done; }
      ask_reader figures && echo "too early: $reply"
      echo go >gate
      answer; echo "first: $reply"
      answer; echo "second: $reply"
      forget_reader
    SH
    assert_equal [ "first: 100 8 25", "second: 200 9 27" ], output.lines(chomp: true)
  end

  private
    # A part exists before the program that fills it, which a signal to the group must find.
    def reads?(shell)
      File.read("/proc/#{shell}/task/#{shell}/children").split.any? do |child|
        %w[ cat tar ].include?(File.read("/proc/#{child}/comm").strip)
      end
    rescue SystemCallError
      false
    end

    def waits_for_lock?(folder)
      Pathname.glob("/proc/[0-9]*").any? do |process|
        process.join("cmdline").read == "flock\0" "9\0" && process.join("cwd").readlink == folder
      rescue SystemCallError
        false
      end
    end

    def sh(shell, name, *arguments, input: "", status: 0)
      said, result = Open3.capture2e(shell, SCRIPTS.join("#{name}.sh").to_s, *arguments.map(&:to_s), stdin_data: input)
      assert_equal status, result.exitstatus, "#{name}: #{said}"
      said
    end
end
