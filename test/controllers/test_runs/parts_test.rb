require "test_helper"

class TestRuns::PartsTest < ActionDispatch::IntegrationTest
  setup { sign_in_as users(:experimenter) }

  test "launches a draft" do
    post test_run_launch_path(test_runs(:draft))

    assert_redirected_to test_run_path(test_runs(:draft))
    assert_predicate test_runs(:draft).reload, :queued?
  end

  test "a duplicate is a draft" do
    post test_run_duplicate_path(test_runs(:finished))
    copy = TestRun.last

    assert_redirected_to edit_test_run_path(copy)
    assert_predicate copy, :draft?
    assert_equal test_runs(:finished).client_groups.sole.settings, copy.client_groups.sole.settings
    assert_empty copy.figures
  end

  test "repeats a run with the measured or latest commit" do
    head = Build::Subprocess.run("git", "-C", Rails.root, "rev-parse", "HEAD~1").strip
    run = test_runs(:finished)
    redefine run, revision: "HEAD~1"
    run.update_columns build_id: Build.create!(commit_sha: "a" * 40, revision: "HEAD~1").id

    get new_test_run_duplicate_path(run)
    assert_select "label", /The measured one\s+a{12}/
    assert_select "label", /HEAD~1 at the time of the build, at present\s+#{head.first(12)}/
    post test_run_duplicate_path(run), params: { commit: "measured" }
    copy = TestRun.last
    assert_redirected_to edit_test_run_path(copy)
    assert_equal [ run.name, "a" * 40 ], [ copy.name, copy.revision ]
    post test_run_duplicate_path(run), params: { commit: "head", launch: 1 }
    assert_equal [ "HEAD~1", "queued" ], TestRun.last.then { |it| [ it.revision, it.state ] }

    redefine run, revision: "https://example.org/broker.git#main"
    assert_equal "https://example.org/broker.git##{"a" * 40}", run.reload.measured_revision
    run.build.update! commit_sha: "tree-#{"b" * 40}"
    get new_test_run_duplicate_path(test_runs(:finished).tap { |it| redefine it, revision: "HEAD" })
    assert_select "p", /not committed/
    post test_run_duplicate_path(run, format: :json), params: { commit: "measured" }, as: :json
    assert_response :unprocessable_entity
  end

  test "the definition is YAML that can be imported again" do
    get test_run_definition_path(test_runs(:draft), format: :yml)
    assert_equal "attachment; filename=\"test_run_#{test_runs(:draft).id}.yml\"; " \
      "filename*=UTF-8''test_run_#{test_runs(:draft).id}.yml", response.headers["Content-Disposition"]

    assert_difference -> { TestRun.draft.count } do
      post definitions_path, params: { text: response.body }
    end
    assert_equal test_runs(:draft).to_definition, TestRun.last.to_definition
  end

  test "a faulty import is shown with its mistakes" do
    post definitions_path, params: { text: "name: [" }

    assert_response :unprocessable_entity
    assert_select ".note--bad li", /The definition is not YAML/
    assert_select "textarea", /name: \[/
  end

  test "logs are a zip once they are collected" do
    get test_run_archive_path(test_runs(:running))
    assert_response :not_found

    test_runs(:finished).archive.attach io: StringIO.new("PK"), filename: "test_run_1.zip",
      content_type: "application/zip"
    get test_run_archive_path(test_runs(:finished))
    assert_equal "PK", response.body
    assert_match "attachment", response.headers["Content-Disposition"]
  end

  test "an analysis is made by a job" do
    test_runs(:finished).archive.attach io: StringIO.new("PK"), filename: "test_run_1.zip",
      content_type: "application/zip"

    assert_enqueued_with job: Analysis::PerformJob do
      post test_run_analyses_path(test_runs(:finished)),
        params: { analysis: { kind: "throughput", action_prefix: "CSndReq#", window: "2s", percentiles: "5, 95" } }
    end
    follow_redirect!

    assert_select "##{dom_id Analysis.last} .state", "Waiting for its turn"
    assert_equal [ 2, "5,95" ], Analysis.last.values_at(:window, :percentiles)
  end

  test "a pending analysis is cancelled, then removed" do
    sign_in_as users(:experimenter)
    run, analysis = test_runs(:finished), analyses(:response_time)
    run.archive.attach io: StringIO.new("no zip"), filename: "test_run.zip", content_type: "application/zip"
    get test_run_charts_path(run)
    assert_select "##{dom_id analysis} button", "Cancel"

    delete test_run_analysis_path(run, analysis)
    get test_run_charts_path(run)
    assert_select "##{dom_id analysis} .note", /Cancelled/
    assert_select "##{dom_id analysis} button[title='Remove this plot']"
    delete test_run_analysis_path(run, analysis)
    assert_not Analysis.exists?(analysis.id)
  end

  test "an invalid analysis names its fields" do
    test_runs(:finished).archive.attach io: StringIO.new("PK"), filename: "test_run_1.zip",
      content_type: "application/zip"
    post test_run_analyses_path(test_runs(:finished)),
      params: { analysis: { kind: "throughput", action_prefix: "CSndReq#", window: "never", percentiles: "500" } }

    assert_response :unprocessable_entity
    assert_select "#analysis_window[value=never][aria-invalid=true]"
    assert_select "#analysis_percentiles_note", /Must be numbers from 0 to 100/
  end

  test "a part of the load is analysed with a split" do
    run = test_runs(:finished)
    run.archive.attach io: StringIO.new("PK"), filename: "test_run_1.zip", content_type: "application/zip"
    post test_run_analyses_path(run, format: :json),
      params: { analysis: { kind: "response_time", from: "0:20", to: "90", split: "tier" } }
    assert_response :created
    assert_equal [ 20.0, 90.0, "tier" ], response.parsed_body.values_at("from", "to", "split")
    assert_match "-type CSndReq\\#OK\\# BTotReqResp BDb\\# -group-by tier -from 20000ms -to 90000ms",
      Analysis.last.send(:analyzer, "x.zip", "-fmt csv")
    get test_run_charts_path(run)
    assert_select "##{dom_id Analysis.last} p", text: /by tier, 0:20 to 1:30, windows of 1s/

    { { from: "soon" } => "From must be a moment of the load", { to: "2:01" } => "To must be a moment of the load",
      { from: 9, to: "0:05" } => "To must be later than from", { split: "colour" } => "Split must be one of" }
      .each do |wrong, complaint|
      post test_run_analyses_path(run, format: :json), params: { analysis: { kind: "cdf", **wrong } }
      assert_response :unprocessable_entity
      assert_match complaint, response.parsed_body["errors"].sole
    end
  end

  test "a plot is served under a strict policy" do
    analyses(:response_time).plot.attach io: StringIO.new("<svg/>"), filename: "plot.svg", content_type: "image/svg+xml"

    get analysis_file_path(analyses(:response_time), "plot")
    assert_equal "image/svg+xml", response.media_type
    assert_match "inline", response.headers["Content-Disposition"]
    assert_nothing_runs_in response

    get analysis_file_path(analyses(:response_time), "plot", keep: 1)
    assert_match "attachment", response.headers["Content-Disposition"]
    assert_nothing_runs_in response
  end

  test "a command gets its response in the page" do
    post test_run_commands_path(test_runs(:running)),
      params: { command: { target: "clients", line: "rate", argument: "120" } }, as: :turbo_stream
    assert_select "turbo-stream[target=replies] li", /rate 120\/s.*to clients, 2 JVMs/m

    post test_run_commands_path(test_runs(:running)),
      params: { command: { target: "clients", line: "rate", argument: "fast" } }, as: :turbo_stream
    assert_response :unprocessable_entity
    assert_select "turbo-stream[target=send-command] .error", /Line must be one of/
  end

  private
    def assert_nothing_runs_in(response)
      assert_equal "base-uri 'none'; default-src 'none'; form-action 'none'; frame-ancestors 'none'; script-src " \
        "'none'; style-src 'unsafe-inline'", response.headers["Content-Security-Policy"].split("; ").sort.join("; ")
      assert_equal "nosniff", response.headers["X-Content-Type-Options"]
    end
end
