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

  test "keeps the figures of each operation of a run of an experiment" do
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
    def attach_logs(text, others = {})
      zip = Zip::OutputStream.write_buffer do |out|
        { "logs/local/client_0/performance_client_0.log" => text, **others }.each do |name, content|
          out.put_next_entry name
          out.write content
        end
      end
      @run.archive.attach io: StringIO.new(zip.string), filename: "test_run.zip", content_type: "application/zip"
    end
end
