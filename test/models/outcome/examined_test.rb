require "test_helper"

class Outcome::ExaminedTest < ActiveSupport::TestCase
  include ActiveJob::TestHelper

  EXPERIMENT = { "brokers" => [ { "scenario" => "Broker" } ], "clients" => [ { "scenario" => "Mix" } ],
    "experiment" => { "factors" => [ { "name" => "clients", "path" => "clients.0.clients", "levels" => [ 1, 2 ] } ] } }

  setup do
    @run = test_runs(:finished)
    @run.update! figures: { "rate" => { "value" => 50, "low" => 45, "high" => 55 }, "p99" => { "value" => 1 },
      "ok" => 10, "errors" => 0 }, thresholds: [ "p99 < 5 ms" ]
  end

  test "takes exact figures and checks from the logs" do
    attach_logs "MLMQ performance log Scenario[OneWayClient] Role[client] Position[0] Clients[1] Unit[us] " \
      "Sample[1/1] Started[1383684920000]\n" +
      (1..2_000).map { |n| "#{n * 7 % 2_000 * 10};#{1383684920000 + n * 10};CSndReq#OK#sendMessage;C[1]" }.join("\n")
    @run.examine

    exact = @run.reload.figures["exact"]
    assert_equal [ 2_000, 9_995.0 ], exact.values_at("count", "mean")
    assert_in_delta 19_800, exact["p99"], 100
    assert_includes exact["p50_low"]..exact["p50_high"], exact["p50"]
    rate = @run.figures["rate"]
    assert_equal exact["throughput"].round(2), rate["value"]
    assert_includes rate["low"]..rate["high"], rate["value"]
    assert_includes @run.outcome.check_results.pluck("check"), "All clients worked"
    assert_equal false, @run.definition.limits.sole.met?(@run.measurement),
      "the p99 of the logs takes precedence over the samples"
  end

  test "keeps the figures of each operation and stage of a run of an experiment" do
    lines = Array.new(2_000) do |n|
      operation = n % 4 < 2 ? "sendMessage" : "peekMessage:empty"
      "#{n % 2 * 1000 + 1000};#{1383684920000 + n * 10};CSndReq#OK##{operation};C[1]"
    end
    log = "MLMQ performance log Scenario[Mix] Role[client] Position[0] Clients[1] Unit[us] Sample[1/1] " \
      "Started[1383684920000]\n#{lines.join("\n")}"
    attach_logs log
    @run.examine
    assert_not_includes @run.reload.figures, "operations"

    experiment = Experiment.from_definition("name" => "Operations", **EXPERIMENT)
    experiment.update! creator: users(:experimenter)
    @run.update! experiment: experiment, figures: @run.figures.except("examined")
    attach_logs log
    @run.examine
    told = @run.reload.figures["operations"]
    assert_equal %w[ peekMessage:empty sendMessage ], told.keys.sort
    assert_equal [ 1_500.0, 1_000.0, 2_000.0 ], told["sendMessage"].values_at("mean", "p50", "p99")
    assert_in_delta 500, told["sendMessage"]["stddev"], 1
    assert_in_delta 50, told["sendMessage"]["throughput"], 1
    assert_equal [ [ "remainder", 1_500.0 ] ], @run.figures["stages"], "no broker has told its stages"
  end

  test "a percentile among failed requests meets no limit" do
    lines = Array.new(2_000) { |n| "#{n * 7 % 2_000 * 10};#{1383684920000 + n * 10};CSndReq#OK#sendMessage;C[1]" } +
      Array.new(30) { |n| "1000000;#{1383684922000 + n * 500};CSndReq#TIMEOUT#sendMessage;C[1]" }
    attach_logs "MLMQ performance log Scenario[OneWayClient] Role[client] Position[0] Clients[1] Unit[us] " \
      "Sample[1/1] Started[1383684920000]\n" + lines.join("\n")
    @run.update! thresholds: [ "p99 < 2 s" ]
    @run.examine

    exact = @run.reload.figures["exact"]
    assert_equal [ 2_000, nil, { "p99" => 1_000_000 } ], exact.values_at("count", "p99", "at_least")
    assert_in_delta 19_290, exact["p95"], 20
    assert_equal false, @run.definition.limits.sole.met?(@run.measurement)
    assert_equal "p99 was among requests that failed, but must be below 2 s.",
      @run.definition.limits.sole.breach_in_words(@run.measurement)
  end

  test "tells times of messages between machines with the error of their clocks, or why not" do
    attach_logs_of_two_machines errors: [ 1.5, 0.25 ]
    @run.examine
    exact = @run.reload.figures["exact"]
    assert_equal [ 7_000, 5_250, 8_750, 1_750 ],
      exact.values_at("e2e_p50", "e2e_p50_low", "e2e_p50_high", "e2e_p50_clock_error")
    assert_nil exact["untold"]

    [ [ [ 6.5, 0.75 ], "known less exactly" ], [ [ 0.5, nil ], "not compared" ] ].each do |errors, reason|
      attach_logs_of_two_machines errors: errors
      @run.update! figures: @run.figures.except("examined")
      @run.examine
      exact = @run.reload.figures["exact"]
      assert_nil exact["e2e_p50"]
      assert_equal [ "e2e_p50", "e2e_p99" ], exact["untold"].keys
      assert_match reason, exact.dig("untold", "e2e_p50")
    end
  end

  test "prefers the counts of all clients over the samples" do
    log =
      "MLMQ performance log Scenario[OneWayClient] Role[client] Position[0] Clients[1] Unit[us] Sample[1/1] " \
        "Started[1383684920000]\n100;1383684920010;CSndReq#OK#sendMessage;C[1]"
    summary = { ok: 70, errors: { "TIMEOUT" => 2, "BROKER_ERROR" => 1 }, late: 4, started: 73 }.to_json
    jvms = @run.jvms.client.order(:position)

    attach_logs log, jvms.drop(1).to_h { |jvm| [ "logs/local/#{jvm.name}/summary_#{jvm.name}.json", summary ] }
    @run.examine
    assert_equal [ 10, 0 ], @run.reload.figures.values_at("ok", "errors")

    @run.update! figures: @run.figures.except("examined")
    attach_logs log, jvms.to_h { |jvm| [ "logs/local/#{jvm.name}/summary_#{jvm.name}.json", summary ] }
    @run.examine
    assert_equal [ 70, 3, 4 ].map { |count| count * jvms.size },
      @run.reload.measurement.values_at("ok", "errors", "late")
  end

  test "requests that all waited for earlier ones are errors, whatever the samples say" do
    summary = { ok: 0, errors: { "NOT_STARTED" => 1_000 }, late: 1_000, started: 0,
      started_ms: 1383684930000, duration_s: 10 }.to_json
    log = "MLMQ performance log Scenario[OneWayClient] Role[client] Position[0] Clients[1] Unit[us] Sample[1/1] " \
      "Started[1383684920000]\n100;1383684920010;CSndReq#OK#sendMessage;C[1]"
    attach_logs log, @run.jvms.client.to_h { |jvm| [ "logs/local/#{jvm.name}/summary_#{jvm.name}.json", summary ] }
    @run.update! thresholds: [ "errors < 1 %" ]
    @run.examine

    assert_nil @run.reload.figures["exact"]
    assert_equal [ 0, 1_000 * @run.jvms.client.count ], @run.figures.values_at("ok", "errors")
    assert_equal false, @run.definition.limits.sole.met?(@run.measurement)
  end

  test "figures of a load with phases are told though no client JVM told its phases" do
    @run.definition.load_phases = [ { "for" => "10s" }, { "for" => "20s" } ]
    @run.save! validate: false
    log = "MLMQ performance log Scenario[OneWayClient] Role[client] Position[0] Clients[1] Unit[us] Sample[1/1] " \
      "Started[1383684920000]\n" + (1..2_000).map { |n| "9;#{1383684920000 + n * 10};CSndReq#OK#a;C[1]" }.join("\n")
    apart = ->(n) { { errors: {}, ok: 1, late: 0, started: 1, load: [ { name: "a", from_ms: 1383684920000 + n * 60_000,
      to_ms: 1383684930000 + n * 60_000 } ] }.to_json }
    jvms = @run.jvms.client.order(:position)

    [ {}, jvms.each_with_index.to_h { |jvm, n| [ "logs/local/#{jvm.name}/summary_#{jvm.name}.json", apart[n] ] } ]
      .each do |summaries|
      @run.update! figures: {}
      attach_logs log, summaries
      @run.examine

      assert_nil @run.reload.figures["not_examined"]
      assert_equal 2_000, @run.figures["exact"]["count"]
      assert_empty @run.figures["phases"].to_a
    end
  end

  test "unreadable logs end the analysis with the reason" do
    @run.archive.attach io: StringIO.new("no zip"), filename: "test_run.zip", content_type: "application/zip"
    @run.examine

    assert_predicate @run.reload, :examined?
    assert_predicate @run.figures["not_examined"], :present?
  end

  test "a full disk or a killed analyzer ends the analysis" do
    { -> { raise Errno::ENOSPC } => Errno::ENOSPC.new.message,
      -> { raise Failure, "The log analyzer ended with exit code 137" } => "exit code 137" }.each do |trouble, reason|
      @run.update! figures: {}, examinations: 0
      @run.outcome.define_singleton_method(:open_archive, &trouble)
      @run.examine

      assert_match reason, TestRun.find(@run.id).figures["not_examined"]
      assert_not_includes TestRun.unexamined, @run
    end
  end

  test "an analysis is not tried a fourth time" do
    killed = Class.new(Exception)
    outcome = @run.outcome.tap { |it| it.define_singleton_method(:open_archive) { raise killed } }
    3.times { assert_raises(killed) { outcome.examine } }
    outcome.examine

    assert_match "interrupted 3 times", @run.reload.figures["not_examined"]
  end

  test "a report that a kill prevented is sent later" do
    webhook = users(:experimenter).create_webhook!(url: "https://example.org/hook")
    attach_logs "no log"
    @run.update_columns ended_at: 1.minute.ago, creator_id: users(:experimenter).id
    @run.define_singleton_method(:report_end) { throw :killed }
    catch(:killed) { @run.examine }
    assert_predicate TestRun.find(@run.id), :examined?
    assert_empty webhook.deliveries

    assert_enqueued_with(job: TestRun::ExamineJob, args: [ @run ]) { TestRun.resume_abandoned TestRun.none }
    2.times { TestRun.find(@run.id).examine }
    assert_equal @run, webhook.deliveries.sole.test_run
    assert_no_enqueued_jobs(only: TestRun::ExamineJob) { TestRun.resume_abandoned TestRun.none }
  end

  test "a finished or active analysis is not repeated" do
    @run.outcome.define_singleton_method(:open_archive) { flunk "examined twice" }
    @run.update! figures: { "examined" => true }
    @run.examine

    @run.archive.attach io: StringIO.new("PK"), filename: "test_run.zip", content_type: "application/zip"
    @run.update! figures: {}
    @run.holding_lock(:examination) { assert_no_enqueued_jobs(only: TestRun::ExamineJob) { TestRun.resume_abandoned } }
  end

  test "an ended run with logs is analysed" do
    test_runs(:running).archive.attach io: StringIO.new("PK"), filename: "test_run.zip", content_type: "application/zip"

    assert_enqueued_with(job: TestRun::ExamineJob, args: [ test_runs(:running) ]) do
      test_runs(:running).update! state: "finished", ended_at: Time.current
    end
    assert_no_enqueued_jobs(only: TestRun::ExamineJob) { test_runs(:running).touch }
  end

  test "an interrupted analysis is found again" do
    assert_not_includes TestRun.unexamined, @run

    @run.archive.attach io: StringIO.new("PK"), filename: "test_run.zip", content_type: "application/zip"
    assert_includes TestRun.unexamined, @run

    @run.update! figures: { "examined" => true }, followed_up_at: Time.current
    assert_not_includes TestRun.unexamined, @run
  end

  private
    # Each of two clients receives a message in each 10 ms, 7 ms after it was to be sent.
    def attach_logs_of_two_machines(errors:)
      starts = 1383684920000
      logs = (0..1).map do |n|
        "MLMQ performance log Scenario[Mix] Role[client] Position[#{n}] Clients[1] Unit[us] Sample[1/1] " \
          "Started[#{starts}]\n" + (1..1_000).map { |i| %w[ CSndReq#OK CE2E ].map { |action|
            "7000;#{starts + i * 10};#{action}#dequeueMessage;C[1]\n" }.join }.join
      end
      summary = { started_ms: starts, duration_s: 10, ok: 1_000, late: 0, errors: {}, messages: { takes: 1_000 },
        e2e: { sent: 1_000, count: 1_000, clock_offset_ms: 3 } }.to_json
      machines = errors.map.with_index do |error, n|
        { name: "m#{n}", clock_offset_ms: 3, clock_error_ms: error, jvms: [ { name: "client_#{n}" } ] }
      end
      files = logs.each_with_index.map do |log, n|
        { "logs/m#{n}/client_#{n}/performance_client_#{n}.log" => log,
          "logs/m#{n}/client_#{n}/summary_client_#{n}.json" => summary }
      end
      attach_logs_at files.reduce(:merge).merge("environment.json" => { machines: machines }.to_json)
    end

    def attach_logs(text, others = {})
      attach_logs_at({ "logs/local/client_0/performance_client_0.log" => text, **others })
    end

    def attach_logs_at(files)
      zip = Zip::OutputStream.write_buffer do |out|
        files.each do |name, content|
          out.put_next_entry name
          out.write content
        end
      end
      @run.archive.attach io: StringIO.new(zip.string), filename: "test_run.zip", content_type: "application/zip"
    end
end
