require "test_helper"
require "test_helpers/zipped_logs"

class TestRuns::LogsControllerTest < ActionDispatch::IntegrationTest
  include ZippedLogs

  # Makes the named machines unreachable.
  module UnreachableMachines
    mattr_accessor :names, default: []

    def ends_of_logs(...)
      name.in?(UnreachableMachines.names) ? raise(Machine::Unreachable, "10.0.0.9 does not answer") : super
    end
  end
  Machine.prepend UnreachableMachines

  teardown { UnreachableMachines.names.clear }

  setup do
    @run = test_runs(:finished)
    @start = @run.load_starts_at
    sign_in_as users(:experimenter)
  end

  test "merges lines and events by time, with filters" do
    attach "broker_0/broker_0.log" => [ line(1, "INFO", "main listens"), line(9, "SEVERE", "io-0 <b>lost</b> it"),
      "java.io.IOException: pipe\n\tat a.B(B.java:7)\n" ].join,
      "client_1/client_1.log" => line(5, "WARNING", "pacer late by 3 ms"), "broker_0/stderr.log" => "OpenJDK warning\n",
      "broker_0/performance_broker_0.log" => "1;2;listens\n"
    @run.events.create! name: "looked", message: "Somebody looked", created_at: @start + 6

    get test_run_logs_path(@run)
    assert_response :success
    assert_equal [ "listens", "late by 3 ms", "Somebody looked" ], css_select(".lines .words").map(&:text).first(3)
    assert_includes css_select(".lines .words").map(&:text),
      "<b>lost</b> it\njava.io.IOException: pipe\n\tat a.B(B.java:7)"
    assert_select ".lines .words", text: "OpenJDK warning"
    assert_select "td a[href='#{test_run_log_path(@run, "broker_0", file: "performance_broker_0.log")}']"

    assert_equal [ "listens" ], texts(q: "LISTENS")
    assert_equal [ "late by 3 ms" ], texts(level: %w[ WARNING ])
    assert_equal [ "late by 3 ms" ], texts(jvm: "client_1")
    assert_equal [ "late by 3 ms" ], texts(from: "0:02", to: 8)
    assert_equal [], texts(q: "nothing has it")
    get test_run_logs_path(@run, q: "lost")
    assert_select "mark", text: "lost"
  end

  test "many lines come in pages, each line once" do
    attach "broker_0/broker_0.log" => 700.times.map { |n| line(n / 10.0, "INFO", "main even #{n}") }.join,
      "broker_1/broker_1.log" => 5.times.map { |n| line(60 + n, "INFO", "main odd #{n}") }.join
    seen, from = [], nil
    begin
      page = logs(from: from)
      seen.concat(page["records"].map { |record| record["text"] })
      from = page["next_from"]
    end while from

    assert_equal 705, seen.uniq.size
    assert_operator seen.size, :<, 710
    assert_equal "even 600", seen.uniq[seen.uniq.index("odd 0") - 1]
  end

  test "shows one log in pages, refuses what is not there" do
    attach "broker_0/broker_0.log" => 3000.times.map { |n| line(n, "INFO", "main line #{n} <i>") }.join
    get test_run_log_path(@run, "broker_0")
    assert_select "pre", text: /main line 0 <i>/
    following = css_select("a").find { |link| link.text == "Next" }["href"]
    get following
    assert_select "pre", text: /\A2\S+ INFO main line \d{4} /

    get test_run_log_path(@run, "broker_0", at: 70_000, format: :json)
    assert_equal 70_000 - Outcome::Log::PAGE, response.parsed_body["previous"]
    assert_operator response.parsed_body["next"], :<=, 70_000 + Outcome::Log::PAGE
    get test_run_log_path(@run, "broker_0", at: 999_999_999, format: :json)
    assert_equal [ "", nil ], [ response.parsed_body["text"], response.parsed_body["next"] ]
    get test_run_log_path(@run, "broker_0", file: "../secret", format: :json)
    assert_response :not_found
    get test_run_log_path(@run, "nobody_7", format: :json)
    assert_response :not_found
    get test_run_log_path(@run, "broker_0", at: "x", format: :json)
    assert_response :unprocessable_entity
  end

  test "refuses invalid filters with what is valid" do
    { { from: "soon" } => "from must be a moment of the run", { level: "LOUD" } => "level must be among SEVERE",
      { jvm: "x" } => "jvm must be among broker_0", { from: 9, to: 3 } => "from must be less than to",
      { q: "x" * 201 } => "200 characters at most" }.each do |asked, complaint|
      get test_run_logs_path(@run, **asked, format: :json)
      assert_response :unprocessable_entity
      assert_match complaint, response.parsed_body["errors"].sole
    end
  end

  test "an active run shows only the end of its logs" do
    run = test_runs(:running)
    folder = Pathname(run.machines.sole.directory).join("broker_0/logs").tap(&:mkpath)
    folder.join("broker_0.log").write 4000.times.map { |n| line(n / 100.0, "INFO", "main tick #{n}") }.join + "no end"
    folder.join("performance_broker_0.log").write "1\n2\n"

    get test_run_logs_path(run)
    assert_select "turbo-frame[data-controller=follow] .words", text: /tick 3999/
    get test_run_logs_path(run, from: 0, format: :json)
    assert_equal [ "broker_0/broker_0.log" ], response.parsed_body["cut"]
    get test_run_logs_path(run, level: "WARNING", format: :json)
    assert_equal [ [], [ "broker_0/broker_0.log" ] ], response.parsed_body.values_at("records", "cut")
    get test_run_logs_path(run, q: "TICK 12", format: :json)
    assert_empty response.parsed_body["cut"]
    assert_includes response.parsed_body["records"].map { |record| record["text"].lines.first.strip }, "tick 12"

    get test_run_log_path(run, "broker_0", file: "performance_broker_0.log", at: 2, format: :json)
    assert_equal [ "2\n", 2, 4 ], response.parsed_body.values_at("text", "from", "bytes")
    get test_run_log_path(run, "broker_0", file: "gone.log", format: :json)
    assert_response :service_unavailable
  ensure
    FileUtils.rm_rf folder.parent.parent.parent if folder
  end

  test "a search on machines reads the last bytes only" do
    run = test_runs(:running)
    folder = Pathname(run.machines.sole.directory).join("broker_0/logs").tap(&:mkpath)
    text = "#{line 0, "INFO", "main needle first"}#{"x" * 200_000}\n#{line 9, "INFO", "main needle last"}"
    folder.join("broker_0.log").write text
    needles = -> { get(test_run_logs_path(run, q: "needle", format: :json)) &&
      response.parsed_body["records"].map { |record| record["text"].strip } }
    assert_equal [ "needle first", "needle last" ], needles.call

    sign_in_as users(:viewer)
    assert_equal [ "needle last" ], needles.call
    assert_equal [ "broker_0/broker_0.log" ], response.parsed_body["cut"]

    sign_in_as users(:experimenter)
    stub_const(Machine::Logged, :SEARCHED, 150_000) do
      assert_equal [ "needle last" ], needles.call
      assert_equal [ "broker_0/broker_0.log" ], response.parsed_body["cut"]
    end
    pg = ApplicationRecord.connection.raw_connection
    other = PG.connect(host: pg.host, port: pg.port, user: pg.user, password: pg.pass, dbname: pg.db)
    other.exec "SELECT pg_advisory_lock(#{run.send(:lock_key, :logs)})"
    stub_const(Outcome::Log::OnMachines, :PATIENCE, 0.1) do
      assert_empty needles.call
      assert_match "Somebody else reads these logs at this moment", response.parsed_body["trouble"].sole
    end
  ensure
    other&.close
    FileUtils.rm_rf folder.parent.parent.parent if folder
  end

  test "explains why there are no logs" do
    run = test_runs(:running)
    run.jvms.update_all state: "pending"
    get test_run_logs_path(run)
    assert_select "[role=status]", text: /There are no logs yet/

    run.jvms.update_all state: "running"
    UnreachableMachines.names << "local"
    get test_run_logs_path(run)
    assert_select "[role=status]", text: /local cannot be asked: 10.0.0.9 does not answer/

    get test_run_log_path(@run, "broker_0")
    assert_response :service_unavailable
    assert_select "[role=status]", text: /ended without a zip/
    attach "broker_0/broker_0.log" => "x\n"
    File.delete @run.archive.service.path_for(@run.archive.key)
    get test_run_logs_path(@run)
    assert_select "[role=status]", text: /no longer in the storage/
  end

  private
    def attach(files)
      attach_zip @run, files
      @run.reload
    end

    def line(second, level, words)
      "#{(@start + second).utc.strftime("%FT%T.%LZ")} #{level} #{words}\n"
    end

    def logs(**asked)
      get test_run_logs_path(@run, **asked.compact, format: :json)
      assert_response :success
      response.parsed_body
    end

    def texts(**asked)
      logs(**asked)["records"].map { |record| record["text"] }
    end
end
