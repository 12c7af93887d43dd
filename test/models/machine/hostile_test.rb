require "test_helper"
require "test_helpers/hostile_machine"

class Machine::HostileTest < ActiveSupport::TestCase
  include HostileMachine

  OUTPUT, TIMES, MONITOR = %w[ broker_0/logs/stdout.log broker_0/logs/times_broker_0.txt monitor/machine.csv ]
    .map { |path| "==> #{path} <==\n" }

  setup do
    @machine = machines(:running_local)
    @machine.update! directory: Dir.mktmpdir
    @jvm = @machine.jvms.broker.first
  end

  teardown { FileUtils.rm_rf @machine.directory }

  test "figures that are no usable numbers are ignored" do
    told = { "rate" => "12", "mean" => [ 1 ], "p99" => { "a" => 1 }, "errors" => -5, "ok" => 10**30, "late" => nil,
      "queue" => 7, "state" => "ready", "version" => "3.10", RUBBISH.scrub => 1, "x" * 50 => 1 }
    line = told.to_json.sub('"queue"', '"clients":1e999,"heap":NaN,"queue"')
    replace_script @machine, "glance", says("broker_0 alive\n#{OUTPUT}#{line.sub(',"heap":NaN', "")}\n")

    @jvm.observe @machine.glance([ "broker_0" ]).fetch("broker_0")
    assert_equal({ "queue" => 7, "state" => "ready", "version" => "3.10" }, @jvm.reload.progress)
  end

  test "unstorable words and overlong lines are ignored" do
    [ %({"state":"\\u0000","version":"\\ud800"}), %({"state":"\xff","queue":1}), %({"queue":#{"1" * 20_000}}),
      "{#{"[" * 2_000}", "{}" * 20_000 ].each do |line|
      replace_script @machine, "glance", says("broker_0 alive\n#{OUTPUT}#{line}\n")
      @jvm.update! progress: {}
      @jvm.observe @machine.glance([ "broker_0" ]).fetch("broker_0")
      assert_empty @jvm.reload.progress, line.first(30)
    end
  end

  test "excess figures are cut off" do
    line = Array.new(1_000) { |n| [ "n#{n}", n ] }.to_h.to_json
    replace_script @machine, "glance", says("broker_0 alive\n#{OUTPUT}#{line}\n")

    assert_equal Machine::Limits::FIGURES, @machine.glance([ "broker_0" ]).fetch("broker_0").progress.size
  end

  test "a machine with an unreadable glance is named" do
    [ "", "#{TIMES}AAAA\n", "#{OUTPUT}broker_0 alive\n", "broker_1 alive\n",
      "broker_0 exited 99999999999 0\n", "broker_0 dancing\n",
      "\0\xff\n" * 1_000,
      "broker_0 #{"alive" * 100_000}\n" ].each do |words|
      replace_script @machine, "glance", says(words)
      failure = assert_raises(Failure) { @machine.glance([ "broker_0" ]) }

      assert_equal "local did not report the state of broker_0", failure.message
      assert_equal @machine, failure.machine
    end
  end

  test "overlong times and measurements are ignored" do
    replace_script @machine, "glance", says("broker_0 alive\n#{TIMES}") + "head -c 300000 /dev/zero | tr '\\0' A\n" +
      says("\n#{MONITOR}#{"9" * 13},#{([ "9" * 40 ] * 10).join(",")},NaN\n")
    seen = @machine.glance([ "broker_0" ])

    assert_nil seen.fetch("broker_0").times
    assert_nil @machine.measured
  end

  test "facts are limited and cleaned" do
    answers "facts.sh", output_of(says("no value\n=\n#{RUBBISH}\nkernel=Linux\0 6 \e[31m\nkernel=another\n" \
      "cpu=#{"x" * 100_000}\nprivate_address=10.9.9.9\njava=openjdk version \xff\nmemory=#{"9" * 500}\n"))
    facts = @machine.knowledge[:facts]

    assert_equal [ "Linux\ufffd 6 \ufffd[31m", "openjdk version \ufffd" ], facts.values_at("kernel", "java")
    assert_operator facts.values.map(&:size).max, :<=, Machine::Limits::FACT
    assert_not facts.key?("private_address")
    @machine.update! facts: facts
  end

  test "an unreadable clock fails and names the machine" do
    [ "", "now", "9" * 100_000, "1e999", "-1", "1" * 13, "\xff" ].each do |words|
      @machine.shell.define_singleton_method(:execute!) { |*| Machine::Shell::Result.new(output: words) }
      assert_equal "local did not report its time", assert_raises(Failure) { @machine.send :ask_clock }.message
    end
  end

  test "replies are short and come from the JVMs asked" do
    replace_script @machine, "ask", says("\n;\nstranger;OK;well\nbroker_0;PENDING;#{RUBBISH}\nbroker_0;OK;again\n" \
      "client_0;OK;") + "head -c 1000000 /dev/zero | tr '\\0' x\n"
    answers = @machine.ask(@machine.jvms.to_a, "status", "command.txt")
    assert_equal %w[ broker_0 client_0 ], answers.keys.sort
    assert_operator answers["client_0"].last.size, :<=, Machine::Limits::REPLY

    reply = replies(:status_of_broker_0)
    reply.take answers["broker_0"]
    assert_predicate reply.reload, :failed?
    assert_equal "\ufffd\ufffd\ufffd[2J\ufffd", reply.text
  end

  test "unreadable ports are ignored" do
    lines = [ "  0: 00000000:1F90 00000000:0000 0A x\n", "a : c 0A\n", ": : : 0A\n", "\xff 0A\n" ].join
    @machine.shell.define_singleton_method(:execute!) { |*| Machine::Shell::Result.new(output: lines, error: +"") }
    assert_equal [ 8080 ], @machine.send(:listening_ports).to_a

    all = Machine::Commandable::PORTS.map { |port| format(" 0: 00000000:%04X 00000000:0000 0A x\n", port) }.join
    @machine.shell.define_singleton_method(:execute!) { |*| Machine::Shell::Result.new(output: all, error: +"") }
    assert_match "local has no 1 free ports", assert_raises(Failure) { @machine.free_ports }.message
  end

  test "a folder that is no path is an error" do
    assert_equal "/srv/run_1", @machine.folder_told("/srv/run_1\n")
    [ "", "run_1", "/srv/\0", "/srv/\xff", "/a\n/b\n", "/#{"x" * 5_000}" ].each do |words|
      assert_match "local did not report the folder", assert_raises(Failure) { @machine.folder_told(words) }.message
    end
  end

  test "the last words of a JVM are limited and optional" do
    folder = Pathname(@machine.directory).join("broker_0/logs").tap(&:mkpath)
    folder.join("stderr.log").write "x" * 1_000_000 + RUBBISH
    @jvm.update! state: "failed", exit_code: 1
    assert_operator @jvm.last_words.size, :<=, Machine::Limits::LAST_WORDS + 100

    @machine.shell.define_singleton_method(:execute) { |*, **| raise Machine::CommandFailed, "It said more than …" }
    @jvm.machine = @machine
    assert_equal "broker_0 ended with exit code 1", @jvm.last_words
  end

  test "an unprintable error text can be stored" do
    complaint = assert_raises(Machine::CommandFailed) { @machine.shell.execute! "#{says(RUBBISH * 2)} >&2; exit 3" }
    run = @machine.test_run
    run.note_failure complaint
    run.save! validate: false

    assert_match "\ufffd\ufffd\ufffd[2J\ufffd", run.reload.error
    assert_equal complaint.message, run.events.find_by(name: "failed").message
  end

  test "the list of logs is limited and skips odd names" do
    replace_script @machine, "logs", says("log 5 broker_0/logs/..\n x\nlog 7 broker_0/logs/a b\n y\nlog x y\n") +
      "for n in $(seq 5000); do echo \"file 1 broker_0/logs/$n.log\"; done\n"
    source = Outcome::Log::OnMachines.new(@machine.test_run)
    source.instance_variable_set :@machines, [ @machine ]

    assert_empty source.ends
    assert_operator source.logs.size, :<=, Machine::Limits::LOGS_SHOWN
  end

  test "a log without a size is refused" do
    [ "", "many\nwords", "9" * 40 ].each do |words|
      replace_script @machine, "log", says(words)
      failure = assert_raises(Failure) { @machine.part_of_log("broker_0/logs/broker_0.log", nil, 100) }
      assert_equal "local did not report the length of broker_0/logs/broker_0.log", failure.message
    end
  end

  test "files with conflicting paths are left out" do
    paths = %w[ broker_0/logs/a broker_0/logs/a/b broker_0/config.properties broker_0/logs/config.properties
      broker_0/logs/c.gz/d broker_0/logs/c monitor/machine.csv ]
    lines = paths.flat_map { |path| [ "1 ./#{path}", "30 ./#{path}.gz", "#{"a" * 64}  ./#{path}.gz" ] }
    listing = Machine::Listing.new(lines.join("\n"), %w[ config.properties ])

    assert_equal %w[ broker_0/config.properties broker_0/logs/a broker_0/logs/c monitor/machine.csv ],
      listing.files.map(&:path)
    assert_equal %w[ broker_0/logs/a/b broker_0/logs/c.gz/d broker_0/logs/config.properties ], listing.refused.sort
  end

  test "invalid names are counted, and a few are shown" do
    replace_script @machine, "compress", "seq 1000000\n"
    missed = @machine.fetch_logs(Dir.mktmpdir, [])

    assert_equal Machine::Limits::REFUSED + 1, missed.size
    assert_match "#{1_000_000 - Machine::Limits::REFUSED} more", missed.keys.last.path
  end

  test "a gzip file with a wrong trailer is missing" do
    folder = Pathname(@machine.directory).join("broker_0/logs").tap(&:mkpath)
    good = IO.popen("printf words | gzip -n", &:read)
    [ good.byteslice(0..-9) + [ 0, 5 ].pack("V2"), good.byteslice(0..-5) + [ 6 ].pack("V") ].each do |bytes|
      folder.join("x.log.gz").binwrite bytes
      digest = Digest::SHA256.hexdigest(bytes)
      replace_script @machine, "compress",
        "path=./broker_0/logs/x.log\necho \"5 $path\n#{bytes.bytesize} $path.gz\n#{digest}  $path.gz\""
      assert_match "does not inflate", @machine.fetch_logs(Dir.mktmpdir, []).values.sole.message
    end
  end

  private
    def output_of(text)
      IO.popen([ "sh", "-c", text ], &:read)
    end

    # Replaces the output of the command that contains these words.
    def answers(words, bytes)
      others = @machine.shell.method(:execute)
      @machine.shell.define_singleton_method(:execute) do |command, **options|
        next others.call(command, **options) unless command.include?(words)

        Machine::Shell::Result.new(output: bytes.dup.force_encoding(Encoding::UTF_8), error: +"", status: 0)
      end
    end
end
