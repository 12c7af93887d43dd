require "test_helper"
require "minitest/mock"
require_relative "contract"

class System::MlmqTest < ActiveSupport::TestCase
  include SystemContract

  test "accepts only known commands" do
    system.commands.each { |line| assert system.command?(line.sub("Ns", "60s").sub("N", "12.5/s")), line }
    [ "profile", "profile 61s", "profile 10", "rm -rf /", "rate fast", "status\nshutdown", "" ].each do |line|
      assert_not system.command?(line), line
    end
  end

  test "escapes values in a properties file" do
    jvm = test_runs(:running).brokers.first
    jvm.group.settings = { "note" => " a\\b ü €" }

    assert_includes jvm.files.fetch("config.properties").lines, "broker.note=a\\\\b \\u00fc \\u20ac\n"
  end

  test "waits for clients longer than they may take to connect" do
    run = test_runs(:running)
    client = run.clients.first
    assert_equal [ 120, 120 ], [ run.brokers.first, client ].map { |jvm| system.ready_within(jvm) }

    client.group.settings = { "connect.within" => "5min" }
    assert_equal 420, system.ready_within(client)

    { "300000ms" => 420, "3600000ms" => 3720, "300000000us" => 420, "1500ms" => 122, "1h" => 3720, "90s" => 210,
      "abc" => 120, "-5s" => 120, "PT5M" => 120, "" => 120 }.each do |within, seconds|
      client.group.settings = { "connect.within" => within }
      assert_equal seconds, system.ready_within(client), within
    end
  end

  test "hands clients the file that fills their messages" do
    jvm = test_runs(:running).clients.first
    jvm.group.settings = { "message.content" => "file:contents/orders.json" }
    Dir.mktmpdir do |folder|
      Contents.stub(:folder, Pathname(folder)) do
        assert_match "no file orders.json", assert_raises(Failure) { jvm.files }.message

        File.binwrite "#{folder}/orders.json", "\xff{}"
        assert_equal "\xff{}".b, jvm.files.fetch("contents/orders.json")
        assert_includes jvm.files.fetch("config.properties").lines,
          "client.message.content=file:contents/orders.json\n"
      end
    end
  end

  test "explains a PostgreSQL upgraded under its server" do
    words = 'ERROR: could not load library "/usr/lib/postgresql/15/lib/plpgsql.so": undefined symbol: pg_new'
    refused = Machine::Shell::Result.new(output: "", error: words, status: 1)
    machine = Struct.new(:result) { def script(*, **) = result }.new(refused)
    database = TestRun::Database.new(test_runs(:running))

    failure = assert_raises(Failure) { database.stub(:fill, nil) { database.create_from(machine) } }
    assert_match(/upgraded under the running server: restart/, failure.advice)
    assert_match(/upgraded under the running server: restart/, system.advice_on(words))
  end

  test "JVMs compile with C1 only where the run says so" do
    run, of_tests = test_runs(:running), Rails.configuration.x.java_options
    Rails.configuration.x.java_options = []
    started = %w[ c1 c2 ].to_h do |compiler|
      run.update! jit_compiler: compiler
      [ compiler, [ run.brokers, run.clients ].map { |jvms| system.program_of(Jvm.find(jvms.first.id)).command_line } ]
    end

    assert started["c1"].all? { |line| line.include?(" -XX:TieredStopAtLevel=1 ") }, started["c1"].first
    assert started["c2"].none? { |line| line.include?("TieredStopAtLevel") }, started["c2"].first
    assert_not run.tap { |it| it.state = "draft" }.update(jit_compiler: "c3")
    assert_equal [ "JIT compiler must be c1 or c2" ], run.errors.full_messages
  ensure
    Rails.configuration.x.java_options = of_tests
  end

  test "clients on machines whose clocks are compared are told the offset" do
    run = test_runs(:running)
    lines = ->(jvms) { jvms.map { |jvm| system.program_of(Jvm.find(jvm.id)).command_line } }
    assert lines[run.clients].none? { |line| line.include?("clock.offset") }

    run.machines.each { |machine| machine.update! clock_offset: -12.25, clock_error: 0.5 }
    assert lines[run.clients].all? { |line| line.include?(" -Dmlmq.clock.offset=-12.25 ") }, lines[run.clients].first
    assert lines[run.brokers].none? { |line| line.include?("clock.offset") }
  end

  test "brokers may listen where other machines of the run reach them" do
    run = test_runs(:running)

    assert_includes system.program_of(run.brokers.first).command_line, " -Dmlmq.broker.anonymous=anywhere "
    assert_not_includes system.program_of(run.clients.first).command_line, "anonymous"
  end

  # Each such name would have to be changed for another system.
  test "no other code names its files, tables or actions" do
    names = /mlmq|MLMQ_|config\.properties|command\.txt|dbscript|queue_length\b|CSndReq|BTotReq|summary_client/
    others = Rails.root.glob("{testmaster/**/*.{rb,erb,js},lib/machine/*.sh}") -
      Rails.root.glob("{testmaster/models/system{.rb,/**/*},lib/machine/serve*.sh}")

    assert_operator others.size, :>, 200
    assert_empty others.flat_map { |file| file.readlines.grep(names).map { |line| "#{file}: #{line.strip}" } }
  end

  private
    def system
      System[:mlmq]
    end
end
