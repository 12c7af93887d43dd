require "test_helper"
require "puma/server"
require "zip"
require "minitest/mock"
require_relative "../../lib/testmaster/command_line"

require "test_helpers/modelled_run"
require "test_helpers/zipped_logs"

class CommandLineTest < ActiveSupport::TestCase
  include ZippedLogs, MessageDatabaseHelper, ModelledRun

  setup { serve }

  teardown { @server.stop true }

  test "run launches a definition with replaced values" do
    Tempfile.create([ "run", ".yml" ]) do |file|
      file.write({ "name" => "From a shell", "brokers" => [ { "scenario" => "Broker" } ],
        "clients" => [ { "scenario" => "OneWayClient", "settings" => { "rate" => "1/s" } } ] }.to_yaml)
      file.close

      assert_equal 0,
        testmaster("run", file.path, "--set", "duration=90s", "--set", "clients.0.settings.message.size=50", "--set",
          "clients.0.clients=7")
    end

    run = TestRun.last
    assert_equal "#{run.id} launched\n", @output
    assert_equal [ 90, 7, { "rate" => "1/s", "message.size" => "50" } ],
      [ run.duration, run.client_groups.sole.client_count, run.client_groups.sole.settings ]
    assert_predicate run, :queued?
  end

  test "experiment plans, launches and steers" do
    Tempfile.create([ "experiment", ".yml" ]) do |file|
      file.write({ "name" => "From a shell", "duration" => "100s", "brokers" => [ { "scenario" => "Broker" } ],
        "clients" => [ { "scenario" => "OneWayClient", "clients" => 20 } ], "experiment" => { "order" => "listed",
          "factors" => [ { "name" => "workers", "path" => "brokers.0.settings.workers",
"levels" => [ 2, 4 ] } ] } }.to_yaml)
      file.close

      assert_equal 0, testmaster("experiment", file.path, "--plan", "--set", "experiment.repetitions=2"), @errors
      assert_match(/^4 runs, about .*point   2  repetition  2  workers 4$/m, @output)
      assert_equal 1, testmaster("experiment", file.path, "--set", "experiment.factors.0.levels=many")
      assert_match "factors.0.levels must be at least two", @errors
      assert_equal 0, testmaster("experiment", file.path, "--set", "scale=0.1")
    end

    experiment = Experiment.last
    assert_equal "#{experiment.id} launched, 2 runs\n", @output
    assert_equal [ "10s", 2 ],
      [ experiment.base_definition["duration"], experiment.run_at({}).client_groups.sole.client_count ]
    assert_equal 0, testmaster("steer", experiment.id, "pause")
    assert_equal "#{experiment.id} paused, 0 of 2 runs\n", @output
    assert_equal 0, testmaster("steer", experiment.id, "repeat", 2)
    assert_equal 3, experiment.reload.repetitions
    assert_equal 2, testmaster("steer", experiment.id, "skip")
    assert_equal 0, testmaster("experiments")
    assert_match(/#{experiment.id}  running +0 of 6/, @output)
    assert_equal 0, testmaster("results", experiment.id, "--sort", "-p99")
    assert_match(/workers 2 +- .*no accepted run/, @output)
    assert_equal 0, testmaster("export", "--experiment", experiment.id)
    assert_match "levels:", @output

    experiment.update! state: "finished", ended_at: Time.current
    Testmaster::Experiment.new(experiment.reload.as_json).then do |report|
      assert_predicate report, :over?
      assert_equal 4, report.exit_code
    end
  end

  test "watch ends with the verdict as exit code" do
    good = { "verdict" => "good", "check" => "All clients worked", "reason" => "2 client JVMs" }
    test_runs(:finished).update! figures: { "checks" => [ good ] }
    assert_equal 0, testmaster("watch", test_runs(:finished).id)
    assert_match(/^accepted/, @output)
    assert_match "  The one check passed.", @output

    assert_equal 1, testmaster("watch", test_runs(:failed).id)
    assert_match "port 8100 is taken", @output

    test_runs(:finished).update! thresholds: [ "errors < 1 %" ], figures: { "ok" => 1, "errors" => 1 }
    assert_equal 3, testmaster("watch", test_runs(:finished).id)
    assert_match "NOT met: errors < 1 %", @output
    assert_match(/^threshold broken/, @output)

    test_runs(:finished).update! figures: { "checks" => [ good.merge("verdict" => "rejected") ] }
    assert_equal 4, testmaster("watch", test_runs(:finished).id)
    assert_match(/^not accepted/, @output)

    test_runs(:finished).update! thresholds: [], figures: { "not_examined" => "the zip is cut off" }
    assert_equal 5, testmaster("watch", test_runs(:finished).id)
    assert_match "The logs could not be examined: the zip is cut off.", @output

    assert_equal 0, testmaster("list")
    assert_match(/unknown +Stability/, @output)
  end

  test "watch outlives an unavailable server" do
    run, output, errors = test_runs(:running), StringIO.new, StringIO.new
    watching = Thread.new { testmaster("watch", run.id, output: output, errors: errors) }
    await { output.string.match?(/^running/) }

    @server.stop true
    await { errors.string.match?(/does not respond .*Asking again/) }
    serve @port
    run.update_columns state: "finished", ended_at: Time.current, figures: { "checks" => [ { "verdict" => "good" } ] }

    assert_equal 0, watching.value
    assert_equal 1, errors.string.lines.size
  end

  test "watch on the same machine follows a new token" do
    Dir.mktmpdir do |secrets|
      file = Pathname(secrets).join("local_access.test.json")
      grant = -> { LocalAccess.grant "http://127.0.0.1:#{@port}", file: file }
      grant.call
      run, output, errors = test_runs(:running), StringIO.new, StringIO.new
      watching = Thread.new { run_with({}, "watch", run.id, secrets: secrets, output: output, errors: errors) }
      await { output.string.match?(/^running/) }

      @server.stop true
      await { errors.string.match?(/does not respond .*Asking again/) }
      serve @port
      grant.call
      await { ApiToken.find_by(name: LocalAccess::TOKEN_NAME)&.last_used_at }
      run.update_columns state: "finished", ended_at: Time.current, figures: { "checks" => [ { "verdict" => "good" } ] }

      assert_equal 0, watching.value, errors.string
    end
  end

  test "watch gives up without a worker or for a draft" do
    Worker.stub(:running?, false) { assert_equal 1, testmaster("watch", test_runs(:running).id, patience: 0.5) }
    assert_match(/No worker has run for 0.5 s.*start one with bin\/worker/, @errors)

    assert_equal 1, testmaster("watch", test_runs(:draft).id)
    assert_match "is a draft", @errors
  end

  test "lists, shows and exports, also as JSON" do
    assert_equal 0, testmaster("list")
    assert_match(/running\s+Workers and connections/, @output)

    assert_equal 0, testmaster("show", test_runs(:finished).id, "--json")
    assert_equal "finished", JSON.parse(@output)["state"]

    assert_equal 0, testmaster("export", test_runs(:draft).id)
    assert_equal test_runs(:draft).to_definition, YAML.safe_load(@output)
  end

  test "command waits for its replies" do
    answering = Thread.new do
      sleep 0.05 until reply = Reply.pending.first; reply.update! state: "ok", text: "15 clients"
    end

    assert_equal 0, testmaster("command", test_runs(:running).id, "jvm:client_0", "status")
    assert_equal "client_0  OK  15 clients\n", @output
  ensure
    answering.join
  end

  test "command and analyze give up without a worker" do
    assert_equal 1, testmaster("command", test_runs(:running).id, "jvm:client_0", "status", patience: 0.5)
    assert_match(/client_0 did not respond within 0.5 s: is a worker running\?/, @errors)

    assert_equal 1, testmaster("analyze", test_runs(:finished).id, "--kind", "cdf", patience: 0.5)
    assert_match(/did not start within 0.5 s: is a worker running\?/, @errors)
  end

  test "compare sets the exit code by limits" do
    before, after = run_with_logs, run_with_logs(slower: 1.5, seed: 2)
    at_work = Thread.new { await { Comparison.pending.first }.perform }
    Dir.mktmpdir do |folder|
      files = [ "--junit", "#{folder}/limits.xml", "-o", "#{folder}/report.html" ]
      assert_equal 3, testmaster("compare", before.id, after.id, "--fail-if", "p99 > +10 %", *files), @errors
      assert_equal "1", Nokogiri::XML(File.read("#{folder}/limits.xml"), &:strict).root["failures"]
      assert_match "<!doctype html>", File.read("#{folder}/report.html")
    end
    at_work.join
    assert_match(/^A  #{before.id}  Logged, the baseline$/, @output)
    assert_match(/^  definition and environment are the same$/, @output)
    assert_match(/^  p99 +B  .* ms +\(.*\) +\+\d+\.\d % worse$/, @output)
    assert_match(/^  BROKEN: B: p99/, @output)
    assert_match(%r{^  page: http://.*/comparisons/#{Comparison.last.id}$}, @output)

    assert_equal 1, testmaster("compare", before.id, 7)
    assert_match "have no test run 7", @errors
    assert_equal 2, testmaster("compare", before.id)
    assert_equal 2, testmaster("compare", before.id, after.id, "--junit", "x.xml")
    assert_equal 1, testmaster("compare", before.id, after.id, patience: 0.5)
    assert_match(/comparison did not start within 0.5 s/, @errors)
  end

  test "predict sets the exit code by its check" do
    run = modelled_run
    at_work = Thread.new { await { Prediction.pending.first }.perform }
    file = Rails.root.join("tmp/curve_#{Process.pid}.csv")
    assert_equal 0, testmaster("predict", run.id, "--clients", 8, "--workers", 4, "--database-faster", 2,
      "--csv", file.to_s), @errors
    at_work.join
    assert_match(/^as asked,8,.*^as it was,8,/m, file.read)
    file.delete
    assert_match(/^  throughput +\d+ \/s \(\d+ to \d+\)$/, @output)
    assert_match(/^  not measured: 4 workers instead of 2$/, @output)
    assert_match(/^  cannot be checked: A database 2 times as fast/, @output)

    at_work = Thread.new do
      await { Prediction.pending.first }.perform
      check = await { Prediction.last.check_run }
      check.update! state: "finished", ended_at: Time.current
      check.update! figures: { "examined" => true, "exact" => { "throughput" => 1.0, "mean" => 2.0 },
        "checks" => [ { "verdict" => "good", "check" => "All" } ] }
    end
    assert_equal 3, testmaster("predict", run.id, "--clients", 8, "--launch", "--wait"), @errors
    at_work.join
    assert_match(/^  run \d+ measured throughput 1.00 \/s, -\d+\.\d %: OUTSIDE its interval$/, @output)

    assert_equal 1, testmaster("predict", run.id, "--clients", "many")
    assert_match "Clients must be a whole number", @errors
    assert_equal 2, testmaster("predict", run.id, "--wait")
  end

  test "profile prints shares by method" do
    run = run_with_logs
    assert_equal 1, testmaster("profile", run.id, patience: 0.5)
    assert_match(/profile did not start within 0.5 s/, @errors)

    row = { "name" => "a.B.c", "share" => 87.5, "low" => 85.1, "high" => 89.2, "with_called" => 90, "samples" => 7 }
    zip = Zip::OutputStream.write_buffer do |out|
      out.put_next_entry "tier_0.lock.json"
      out.write({ "samples" => 8, "weight" => 8, "unit" => "ns", "class" => [ row ] }.to_json)
    end
    run.profile.contents.attach io: StringIO.new(zip.string), filename: "profile.zip"
    run.profile.update! state: "completed", parts: { "parts" => [
      { "key" => "all", "kind" => "all", "name" => "All JVMs", "cpu" => 0, "alloc" => 0, "lock" => 8 },
      { "key" => "tier_0", "kind" => "tier", "name" => "broker io", "cpu" => 0, "alloc" => 0, "lock" => 8 } ] }

    assert_equal 0, testmaster("profile", run.id, "--of", "broker io", "--what", "lock", "--by", "class"), @errors
    assert_equal "8 samples\n  87.5 %  (85.1 to 89.2)  with what it calls  90.0 %  a.B.c\n", @output
    assert_equal 0, testmaster("profile", run.id)
    assert_equal "there are no samples of that\n", @output
    assert_equal 1, testmaster("profile", run.id, "--of", "broker_9")
  end

  test "again launches with the latest or measured commit" do
    run = test_runs(:finished)
    run.update! build: Build.create!(commit_sha: "a" * 40, revision: "HEAD")
    assert_equal 0, testmaster("again", run.id, "--commit", "measured")
    assert_equal "#{TestRun.last.id} launched, with commit aaaaaaaaaaaa\n", @output
    assert_equal [ "a" * 40, run.name ], TestRun.last.then { |it| [ it.revision, it.name ] }
    assert_equal 2, testmaster("again", run.id, "--commit", "x")
    assert_equal 0, testmaster("again", run.id)
    assert_match(/launched, with HEAD \w{12}/, @output)
  end

  test "--set refuses a path below a plain value" do
    Tempfile.create([ "run", ".yml" ]) do |file|
      file.write({ "name" => "From a shell", "tags" => [ "a" ], "brokers" => [ { "scenario" => "Broker" } ] }.to_yaml)
      file.close

      { "name.x=y" => "there is nothing below", "name.x.y=z" => "there is nothing below",
        "tags.0.x=y" => "there is nothing below", "tags.x=y" => "numbered 0 to 0", ".=x" => "a name is missing",
        "brokers..jvms=1" => "a name is missing",
        "brokers.0.scenario.x=y" => "there is nothing below",
          "brokers.7.jvms=1" => "numbered 0 to 0" }.each do |pair, complaint|
        assert_equal 2, testmaster("run", file.path, "--set", pair), pair
        assert_match "--set #{pair.partition("=").first}: ", @errors.lines.first
        assert_match complaint, @errors.lines.first
      end
    end
  end

  test "lines prints lines of logs" do
    run = test_runs(:finished)
    attach_zip run, "broker_0/broker_0.log" => "2013-11-05T20:55:20.971Z WARNING io-0 \e[31mlost it\n" \
      "2013-11-05T20:55:21.000Z INFO io-0 found it\n"
    assert_equal 0, testmaster("lines", run.id, "--level", "WARNING", "--words", "IT")
    assert_equal "2013-11-05T20:55:20.971Z broker_0 WARNING io-0 \u241b[31mlost it\n", @output

    assert_equal 1, testmaster("lines", test_runs(:failed).id)
    assert_match "its logs are lost", @errors
    assert_equal 1, testmaster("lines", run.id, "--from", "soon")
    assert_match "from must be a moment of the run", @errors
  end

  test "console prints the database of a run" do
    run = test_runs(:running)
    assert_equal 1, testmaster("console", run.id, "queues")
    assert_equal "bin/testmaster: Run #{run.id} has no database now.\n", @errors
    assert_equal 2, testmaster("console", run.id, "tables")

    inside = make_message_database
    inside.exec "CALL fill(2, 10, 1, 10); UPDATE queue SET name = E'a\\x1bb' WHERE name = 'queue1'"
    make_database_of run, inside
    assert_equal 0, testmaster("console", run.id, "queues")
    assert_match(/^name +length +age_ms.*\n.*a\\eb +5 +\d+/, @output)
    assert_equal 0, testmaster("console", run.id, "messages", "--json")
    assert_equal 10, JSON.parse(@output)["messages"].size
  end

  test "logs writes a zip" do
    test_runs(:finished).archive.attach io: StringIO.new("PK zip"), filename: "test_run_1.zip",
      content_type: "application/zip"

    Dir.mktmpdir do |folder|
      assert_equal 0, testmaster("logs", test_runs(:finished).id, "-o", "#{folder}/logs.zip")
      assert_equal "PK zip", File.binread("#{folder}/logs.zip")

      assert_equal 1, testmaster("logs", test_runs(:finished).id, "-o", "#{folder}/nowhere/logs.zip")
      assert_match(%r{\Abin/testmaster: #{folder}/nowhere/logs.zip cannot be written: .+\n\z}, @errors)
    end

    assert_equal 1, testmaster("logs", test_runs(:failed).id)
    assert_equal "bin/testmaster: There is no archive of test run #{test_runs(:failed).id}.\n", @errors
  end

  test "wrong usage prints one line and exits with 2" do
    { [] => "a command is needed", %w[ fly ] => "there is no command fly", %w[ show ] => "show needs ID",
      %w[ show 1 2 ] => "show does not take 2",
      %w[ command 1 all ] => "command needs LINE…", %w[ list --wait ] => "invalid option: --wait",
      %w[ help fly ] => "there is no command fly", %w[ show 1 --set a=b ] => "invalid option: --set",
        %w[ show x ] => "x is not the number of a test run", %w[ list --fast ] => "invalid option: --fast",
      %w[ run /nowhere.yml ] => "/nowhere.yml cannot be read: ",
        [ "analyze", "1" ] => "analyze needs --kind" }.each do |arguments, message|
      assert_equal 2, testmaster(*arguments), arguments.inspect
      assert_match message, @errors.lines.first
      assert_match "usage: bin/testmaster", @errors.lines.last
    end
  end

  test "help lists all commands and the options of one" do
    [ %w[ help ], %w[ --help ] ].each do |arguments|
      assert_equal 0, testmaster(*arguments)
      Testmaster::Command::ALL.each_value do |command|
        called = Regexp.escape([ command.name, *command.arguments ].join(" "))
        assert_match(/^  #{called} +#{Regexp.escape(command.help)}$/, @output)
      end
    end

    [ %w[ help run ], %w[ run --help ], %w[ --json run -h ] ].each do |arguments|
      assert_equal 0, testmaster(*arguments)
      assert_equal "usage: bin/testmaster run FILE.yml [--set KEY=VALUE]… [--wait] [--json]", @output.lines.first.chomp
      assert_match(/^  --wait +follow it/, @output)
    end
  end

  test "wrong usage of a command prints its usage" do
    assert_equal 2, testmaster("logs")
    assert_equal "usage: bin/testmaster logs ID [-o, --out ZIP] [--json]   (bin/testmaster help logs says more)",
      @errors.lines.last.chomp
  end

  test "a refusal of the server is printed and exits with 1" do
    assert_equal 1, testmaster("show", 1)
    assert_equal "bin/testmaster: There is no test run 1.\n", @errors

    assert_equal 1, testmaster("list", token: "tm_other")
    assert_match "The token is not known", @errors
  end

  test "reads URL and token from the server's note" do
    Dir.mktmpdir do |secrets|
      assert_equal 1, run_with({}, "list", secrets: secrets)
      assert_match "no Testmaster runs from this checkout", @errors

      LocalAccess.grant "http://127.0.0.1:#{@port}", file: Pathname(secrets).join("local_access.test.json")
      assert_equal 0, run_with({}, "list", secrets: secrets)
    end
  end

  private
    def serve(port = 0)
      @server = Puma::Server.new(Rails.application)
      @port = @server.add_tcp_listener("127.0.0.1", port).addr[1]
      @server.run
    end

    def testmaster(*arguments, token: "tm_a_token_of_the_tests", **options)
      run_with({ "TESTMASTER_URL" => "http://127.0.0.1:#{@port}", "TESTMASTER_TOKEN" => token }, *arguments, **options)
    end

    def run_with(environment, *arguments, secrets: "/nowhere", output: StringIO.new, errors: StringIO.new, **options)
      Testmaster::CommandLine.new(arguments.map(&:to_s), environment: environment, output: output, errors: errors,
        secrets: secrets, **options).run
    ensure
      @output, @errors = output.string, errors.string
    end
end
