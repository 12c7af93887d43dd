require "test_helper"

class TestRun::WholePathTest < ActiveSupport::TestCase
  include RunsHelper

  test "a run goes from launch to an analysed zip" do
    run = run_through(build_run(**TWO_OF_EACH))

    assert_predicate run, :finished?, run.error
    assert_equal [ "done" ], run.phases.map { |phase| phase[:state] }.uniq
    assert_equal %w[ exited ], run.jvms.map(&:state).uniq
    assert_operator run.samples.count, :>=, 2
    assert_operator run.latest_sample.figures["ok"], :>, 100
    assert_nothing_left_of run

    files = contents_of(run.archive)
    assert_equal run.to_definition, YAML.load(files["test_run.yml"])
    environment = JSON.parse(files["environment.json"])
    assert_equal [ run.build.commit_sha, run.to_definition ], environment.values_at("commit", "definition")
    assert_no_match ApplicationRecord.connection.raw_connection.pass, files.values.join, "a password is in the zip"
    run.jvms.each do |jvm|
      assert_match(/^\d+;\d+;\w/, files["logs/local/#{jvm.name}/performance_#{jvm.name}.log"])
      assert files.key?("logs/local/#{jvm.name}/#{jvm.name}.log")
    end
    assert_operator files["logs/local/machine.csv"].lines.size, :>, 3
    assert_operator files["database_stats.csv"].lines.size, :>=, 2
    assert_match(/^\d+,\w+,\w*,\d+$/, files["queue_lengths.csv"])
    assert_conserved files
    assert_messages run, files
    assert_throughput run
    assert_breakdown run
    assert_nothing_found run
  end

  test "a run follows the phases of its load, and ends one once its condition holds" do
    phases = [ { "for" => "3s", "name" => "before" }, { "for" => "3s", "takers" => "paused", "name" => "outage" },
      { "until" => "backlog = 0", "at_most" => "90s", "name" => "drain" } ]
    clients = { "PublicQueueProducer" => "100/s", "PublicQueueConsumer" => "400/s" }
      .map { |scenario, rate| { "scenario" => scenario, "clients" => 2, "settings" => { "rate" => rate } } }
    run = TestRun.from_definition(DEFINITION.except("duration").merge("load" => phases, "clients" => clients))
    run_through run.tap { |it| it.creator = users(:experimenter) }
    run.reload

    assert_predicate run, :finished?, run.error
    assert_equal [ "Phase before", "Phase outage", "Phase drain" ],
      run.events.where(name: "load_phase").order(:id).pluck(:message)
    assert run.events.exists?(name: "until_held")
    assert_operator run.ended_at - run.load_starts_at, :<, 90
    run.examine
    before, outage, drain = run.figures["phases"]
    assert_equal %w[ before outage drain ], run.figures["phases"].pluck("phase")
    assert_in_delta 3, outage["seconds"], 0.5
    assert_operator outage["left"], :>, before["left"]
    assert_operator drain["left"], :<, outage["left"]
  end

  private
    def assert_messages(run, files)
      run.examine
      exact = run.figures["exact"]
      sent, received = exact.values_at("sent", "received")
      told = { **exact, **exact["at_least"].to_h } # most of the messages are never received

      [ sent, received ].each { |value| assert_operator value, :>, 0 }
      if measured_together?(files)
        assert_operator told["e2e_p50"], :>, 0
        assert_operator told["e2e_p99"], :>=, told["e2e_p50"]
      else
        assert_nil told["e2e_p50"], "a JVM that began late lost other messages"
      end
      assert_includes 0.1..messages_sent(files), run.figures["messages"]["sent"], "per second, by samples"
    end

    # On a busy machine a JVM may begin its load late.
    def measured_together?(files)
      starts = summaries_of(files).map { |summary| summary["started_ms"] }
      starts.max - starts.min <= 100
    end

    def assert_throughput(run)
      analysis = run.analyses.create!(kind: "throughput")
      analysis.perform
      assert_predicate analysis.reload, :completed?, analysis.error
      assert_match(/,CSndReq#OK#sendMessageToClient,\d+,/, analysis.table.download)
      assert_match "<path", analysis.plot.download
      assert_match "plot", analysis.script.download
      Zip::File.open_buffer(analysis.data.download) { |zip| assert_includes zip.map(&:name), "throughput.gp" }
    end

    # A breakdown contains the broker's stages, though the analysis names only client actions.
    def assert_breakdown(run)
      breakdown = run.analyses.create!(kind: "breakdown")
      breakdown.perform
      assert_predicate breakdown.reload, :completed?, breakdown.error
      assert_match "request queue", breakdown.plot.download
    end

    def assert_nothing_found(run)
      nothing = run.analyses.create!(kind: "throughput", action_prefix: "NoSuchAction")
      nothing.perform
      assert_predicate nothing.reload, :failed?
      assert_match "NoSuchAction", nothing.error
    end

    # Each acknowledged message was received once or is still in the database.
    def assert_conserved(files)
      sent, received = messages_sent(files), summaries_of(files).sum { |summary| summary["received"] }

      assert_operator sent, :>, 100
      assert_equal sent, received + files["database.csv"].lines.size - 1
    end

    def messages_sent(files)
      summaries_of(files).sum { |summary| summary["sent"] }
    end

    def summaries_of(files)
      files.select { |name, _| name.match?(/summary_client_\d+.json/) }.values.map { |json| JSON.parse(json) }
    end
end
