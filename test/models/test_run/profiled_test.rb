require "test_helper"
require "testmaster/report"

class TestRun::ProfiledTest < ActionDispatch::IntegrationTest
  include RunsHelper

  ENOUGH = 40_000 # requests; 8,000 had about seven samples of the broker, and sometimes none of its workers

  # One run covers all cases: a broker records for the whole run, a client records and is killed, and another client
  # records for some seconds.
  test "the zip has the profiles, even of a killed JVM" do
    broker = DEFINITION["brokers"].first
    client = DEFINITION["clients"].first.merge("settings" => { "rate" => "8000/s" })
    run = build_run(duration: "2min", when_jvm_dies: "go_on", brokers: [ broker.merge("profile" => true) ],
      clients: [ client, client.merge("profile" => true) ])
    replies = []

    while_running(run) do |jvms|
      await { chunks_of(run, "client_1").any? { |chunk| readable?(chunk) } }
      Process.kill "KILL", pid_of(jvms.find { |jvm| jvm.name == "client_1" })
      replies = deliver(run, "profile 3s", "all")
      await { requests_of(jvms) > ENOUGH }
      cancel run
    end

    files = contents_of(run.archive)
    assert_operator recording(files, "broker_0/profile.jfr").bytesize, :>, 10_000
    assert_not_includes recording(files, "broker_0/profile.jfr"), "MLMQ_DB_PASSWORD"
    assert_operator recording(files, "client_0/profile_\\d+.jfr").bytesize, :>, 10_000
    assert_operator recording(files, "client_1/[\\d_]+/[\\d_]+.jfr").bytesize, :>, 1_000
    assert_equal true, YAML.load(files["test_run.yml"]).dig("brokers", 0, "profile")
    said = replies.to_h { |reply| [ reply.jvm.name, [ reply.state, reply.text ] ] }
    assert_match(/\Aprofile_\d+\.jfr has \d+ samples of 3 s\z/, said["client_0"].last)
    assert_equal "refused", said["broker_0"].first
    assert_match "profile: true", said["broker_0"].last
    assert_equal "unanswered", said["client_1"].first
    assert_empty files.keys.grep(/broker_0.*\d{4}_\d\d_\d\d/), "temporary files of the recording"

    assert_shown run
    assert_compared run
  end

  private
    def assert_shown(run)
      sign_in_as users(:experimenter)
      perform_enqueued_jobs(only: Profile::PerformJob) { run.examine }
      profile = run.reload.profile
      assert_predicate profile, :completed?, profile.error
      assert_equal [ "broker", "client" ], profile.choices.select { |one| one["kind"] == "role" }.pluck("name").sort
      busiest = profile.choices.select { |one| one["name"].start_with?("broker ") }.max_by { |one| one["cpu"] }
      assert_operator busiest["cpu"], :>, 0

      get test_run_profile_path(run)
      assert_select "h2", "Where the processor time goes"
      assert_select "svg.flame > svg title", /\A#{busiest["name"]}: /
      assert_select "table.shares tbody tr", 5..40
      get test_run_profile_path(run, part: "role_broker", format: :json)
      tables = response.parsed_body["tables"]
      assert_equal "samples", tables["unit"]
      assert_includes 0..tables["package"].first["share"], tables["package"].first["low"]
      get test_run_profile_path(run, part: busiest["name"], format: :json)
      assert_equal busiest["key"], response.parsed_body["part"]
      assert_match(/\Atier_\d+\z/, busiest["key"])
      assert_operator response.parsed_body["recorded_seconds"], :>, 0
      shown = Testmaster::Report.profile(response.parsed_body, "method")
      assert_match(/ samples\z/, shown.first)
      assert_match(/\A +[\d.]+ %  \([\d.]+ to [\d.]+\)  with what it calls/, shown.second)
      get test_run_profile_path(run, part: "../x")
      assert_response :not_found
    end

    def assert_compared(run)
      comparison = Comparison.create!(sides: [ run.id, again(run).id ], creator: users(:experimenter))
      comparison.perform
      assert_predicate comparison.reload, :completed?, comparison.error
      assert_equal [ "within noise" ], comparison.results["profiles"]["B"].pluck("verdict").uniq
      assert_match ", was ", comparison.picture("profile_B", "dark").download
      get comparison_path(comparison)
      assert_select "h2", "Processor time of B by method"
    end

    # @return another run with the same recordings
    def again(run)
      run.dup.tap do |twin|
        twin.save! validate: false
        twin.archive.attach run.archive.blob
      end
    end

    def chunks_of(run, name)
      Dir["#{folder_of(run)}/#{name}/logs/*/*.jfr"]
    end

    def requests_of(jvms)
      jvms.sum { |jvm| jvm.reload.progress["ok"].to_i }
    end

    # The header locates the event metadata about a second after the start; then the chunk is readable.
    def readable?(chunk)
      File.binread(chunk, 8, 24)&.unpack1("Q>").to_i.positive?
    end

    def recording(files, name)
      files.find { |path, _| path.match?(%r{\Alogs/local/#{name}\z}) }&.last || flunk("no #{name} in #{files.keys}")
    end

    def deliver(run, line, target)
      command = Command.create!(test_run: TestRun.find(run.id), line: line, target: target)
      command.deliver
      command.replies.reload.to_a
    end
end
