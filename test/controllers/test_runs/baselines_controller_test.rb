require "test_helper"

class TestRuns::BaselinesControllerTest < ActionDispatch::IntegrationTest
  include ActiveJob::TestHelper

  setup do
    sign_in_as users(:experimenter)
    @before = run_with_logs(name: "Stability")
  end

  test "later runs show their change against a baseline" do
    post test_run_baselines_path(@before), params: { of: "name:Stability" }
    assert_redirected_to test_run_path(@before, anchor: "baseline")
    later = run_with_logs(name: "Stability", slower: 1.5, seed: 2, figures: {})
    later.update! figures: {}
    later.examine
    perform_enqueued_jobs only: Comparison::PerformJob

    get test_runs_path
    assert_select "td a[href='#{comparison_path(later.reload.own_comparison)}'] .worse", /\A(mean|p\d+) \+5\d % ✕\z/
    assert_select "tr##{ActionView::RecordIdentifier.dom_id(@before, :row)} .tag", "baseline of its name"
    get test_run_path(later)
    assert_select "#baseline a", /Against run\s+#{@before.id}/
    assert_select "#baseline option", /instead of run #{@before.id}/
    get test_run_path(@before)
    assert_select "#delete p", /It is the baseline of name Stability/
    get test_run_path(later, format: :json)
    assert_equal [ @before.id, "worse" ], response.parsed_body["change"].values_at("baseline", "verdict")

    delete test_run_baseline_path(@before, Baseline.sole)
    assert_empty Baseline.all
  end

  test "an invalid baseline is refused with the reason" do
    post test_run_baselines_path(@before, format: :json), params: { of: "tag:weekly" }, as: :json
    assert_response :unprocessable_entity
    post test_run_baselines_path(test_runs(:running), format: :json), params: { of: "name" }, as: :json
    assert_match "must have ended", response.parsed_body["errors"].sole
    post test_run_baselines_path(@before, format: :json), params: { of: "name" }, as: :json
    assert_equal [ "name", "Stability" ], response.parsed_body.sole.values_at("kind", "value")
  end
end
