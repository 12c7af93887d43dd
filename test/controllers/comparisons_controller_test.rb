require "test_helper"

class ComparisonsControllerTest < ActionDispatch::IntegrationTest
  include ActiveJob::TestHelper

  setup do
    sign_in_as users(:experimenter)
    @before = run_with_logs(name: "Before", tags: [ "nightly" ])
    @after = run_with_logs(name: "After", slower: 1.5, seed: 2, tags: [ "nightly" ])
  end

  test "compares runs that are ticked in the list" do
    get test_runs_path
    assert_select "input[form=selection][name='test_run_ids[]'][value='#{@after.id}']"
    change_group @after, :client, settings: { "rate" => "200/s" }
    post comparisons_path, params: { test_run_ids: [ @after.id, @before.id ] }
    comparison = Comparison.last
    assert_redirected_to comparison
    assert_equal [ @before.id, @after.id ], comparison.entries.map(&:number), "the older one is the baseline"

    get comparison_path(comparison)
    assert_select ".state", "Waiting for its turn"
    assert_select "form[action='#{comparison_cancellation_path(comparison)}']"
    perform_enqueued_jobs only: Comparison::PerformJob

    get comparison_path(comparison)
    assert_select "h2", "What differs in the definition"
    assert_select "tr th", /rate/
    assert_select ".change.worse", /\+5\d % worse/
    throughput = "#{comparison_path(comparison)}/pictures/throughput?"
    assert_equal 2, css_select("img").count { |img| img["src"].start_with?(throughput) }
    assert_select "h2", text: "What differs in the environment", count: 0
    get comparison_picture_path(comparison, "throughput", theme: "dark")
    assert_match "<svg", response.body
    assert_match "default-src 'none'", response.headers["Content-Security-Policy"]
    get comparison_picture_path(comparison, "throughput", theme: "../x")
    assert_response :not_found

    get comparison_path(comparison, format: :csv)
    assert_match(/^B,#{@after.id},mean,us,/, response.body)
    get comparison_path(comparison, format: :report)
    assert_match "attachment; filename=\"comparison_#{comparison.id}.html\"", response.headers["Content-Disposition"]
    assert_select "img[src^='data:image/svg+xml;base64,']", comparison.picture_names.size
    assert_select "link, script", 0

    patch comparison_path(comparison), params: { comparison: { baseline: "B" } }
    assert_redirected_to comparison
    assert_predicate comparison.reload, :pending?
    patch comparison_path(comparison), params: { comparison: { baseline: "Z" } }
    assert_match "must be one of", flash[:alert]

    @before.destroy!
    perform_enqueued_jobs only: Comparison::PerformJob
    get comparison_path(comparison)
    assert_select ".note--bad", /Run #{@before.id} has been deleted/
    get comparisons_path
    assert_select "tbody tr", 1
    delete comparison_path(comparison)
    assert_redirected_to comparisons_path
  end

  test "offers runs of the same definition and tag" do
    other = run_with_logs(name: "Other", seed: 3)
    other.update! duration: 20
    get test_run_path(@before)
    assert_select "a", "Compare with…"
    get new_comparison_path(test_run_id: @before)
    assert_select "tbody tr:first-child th", /After/
    assert_select "tbody tr:first-child td", "same definition"
    get new_comparison_path(test_run_id: @before, q: "Other")
    assert_select "tbody tr", 1

    get test_runs_path(tag: "nightly")
    assert_select "button", "Compare all runs tagged nightly"
    post comparisons_path, params: { tag: "nightly" }
    assert_equal [ @before.id, @after.id ], Comparison.last.entries.map(&:number)

    post comparisons_path, params: { test_run_ids: [ @before.id, other.id, @after.id ], repetitions: 1 }
    assert_equal [ [ @before.id, @after.id ], [ other.id ] ],
      Comparison.last.sides.map { |side| side.entries.map(&:number) }
  end

  test "shows a percentile among failed requests as such" do
    comparison = Comparison.create!(sides: [ @before.id, @after.id ])
    comparison.perform
    p99 = comparison.reload.results["figures"].find { |figure| figure["figure"] == "p99" }
    p99["sides"]["B"] = { "value" => nil, "low" => 5_000, "high" => nil, "at_least" => 1_000_000, "verdict" => "worse" }
    comparison.save!

    [ comparison_path(comparison), comparison_path(comparison, format: :report) ].each do |path|
      get path
      assert_includes response.body, "&gt; 1,000"
    end
    get comparison_path(comparison)
    assert_select ".change.worse", "now among failed requests, worse"
  end

  test "programs make comparisons and read JUnit XML" do
    token = { "Authorization" => "Bearer tm_a_token_of_the_tests" }
    post comparisons_path(format: :json), params: { comparison: { sides: [ @before.id, [ @after.id ] ],
      limits: [ "mean > +10 %", "errors > 50 %" ] } }, headers: token, as: :json
    assert_response :created
    perform_enqueued_jobs only: Comparison::PerformJob

    get comparison_path(Comparison.last, format: :json), headers: token
    body = response.parsed_body
    assert_equal [ "completed", "worse" ], [ body["state"], body["figures"].first["sides"]["B"]["verdict"] ]
    get comparison_path(Comparison.last, format: :xml), headers: token
    suite = Nokogiri::XML(response.body, &:strict).root
    assert_equal [ "2", "1" ], [ suite["tests"], suite["failures"] ]
    assert_match(/which breaks: mean > \+10 %/, suite.at_css("failure")["message"])

    get comparisons_path(format: :json), headers: token
    assert_equal [ @before.id ], response.parsed_body.sole["sides"].first["runs"]

    [ { sides: 7 }, { sides: { a: 1 } }, { sides: [ [ [ 1 ] ] ] }, {}, { sides: [ @before.id ], limits: [ "x" ] },
      { sides: [ @before.id, @after.id ], colour: 1 } ].each do |wrong|
      post comparisons_path(format: :json), params: { comparison: wrong }, headers: token, as: :json
      assert_includes [ 400, 422 ], response.status, wrong.inspect
    end
    post comparisons_path, params: { test_run_ids: [ @before.id ] }
    assert_match "choose another run", flash[:alert]
  end

  test "tags and deletes several runs, except active ones" do
    post tagging_path, params: { test_run_ids: [ @before.id, test_runs(:running).id ], tag_to_add: "kept" }
    assert_equal [ %w[ nightly kept ], %w[ kept ] ], [ @before.reload.tags, test_runs(:running).reload.tags ]
    post tagging_path(format: :json), params: { test_run_ids: [ @before.id ], tag: "x" * 51 }, as: :json
    assert_response :unprocessable_entity

    get new_deletion_path, params: { test_run_ids: [ @before.id, test_runs(:running).id ] }
    assert_select "h1", "Delete 2 runs?"
    post deletion_path, params: { test_run_ids: [ @before.id, test_runs(:running).id ] }
    assert_not TestRun.exists?(@before.id)
    assert_match "1 run deleted", flash[:notice]
    assert_match(/Run #{test_runs(:running).id} is active/, flash[:alert])
  end
end
