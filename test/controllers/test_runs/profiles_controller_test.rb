require "test_helper"

class TestRuns::ProfilesControllerTest < ActionDispatch::IntegrationTest
  include ActiveJob::TestHelper

  setup { sign_in_as users(:experimenter) }

  test "explains a missing profile and tries again" do
    run = run_with_logs(name: "Logs only")
    get test_run_profile_path(run)
    assert_select ".note", /No JVM of this run has recorded/
    assert_select "main form", 0

    change_group run, :broker, profile: true
    get test_run_profile_path(run)
    assert_select "form[action='#{test_run_profile_path(run)}'] button", "Make the profile"
    perform_enqueued_jobs(only: Profile::PerformJob) { post test_run_profile_path(run) }
    assert_redirected_to test_run_profile_path(run)
    get test_run_profile_path(run)
    assert_select "[role=alert]", /There is no recording in/
    assert_select "button", "Try again"
  end

  test "a profile is cancelled and requested again" do
    run = run_with_logs(name: "Logs only")
    change_group run, :broker, profile: true
    post test_run_profile_path(run, format: :json)
    assert_response :accepted
    assert_equal "pending", response.parsed_body["state"]
    get test_run_profile_path(run)
    assert_select "[role=status] p", /Waiting for its turn/

    delete test_run_profile_path(run)
    assert_predicate run.reload.profile, :cancelled?
    get test_run_profile_path(run)
    assert_select ".note", /Cancelled/
    assert_no_enqueued_jobs(only: TestRun::AdvanceJob) { post test_run_profile_path(run) }
    assert_predicate run.reload.profile, :pending?
  end

  test "an active run has no profile yet" do
    get test_run_profile_path(test_runs(:running))
    assert_select ".note", /has not ended/
    post test_run_profile_path(test_runs(:running), format: :json)
    assert_response :unprocessable_entity
    get test_run_profile_path(test_runs(:running), format: :json)
    assert_response :not_found
  end

  test "profile must be true or false" do
    { "brokers" => [ { "scenario" => "Broker", "profile" => "often" } ] }.then do |wrong|
      definition = { "name" => "x", "clients" => [ { "scenario" => "OneWayClient" } ] }.merge(wrong)
      post test_runs_path(format: :json), params: { definition: definition }, as: :json
      assert_response :unprocessable_entity
      assert_match "profile must be true or false", response.body.downcase
    end
    patch test_run_path(test_runs(:draft)),
      params: { test_run: { broker_groups_attributes: { "0" => { profile: "often" } } } }
    assert_response :unprocessable_entity

    patch test_run_path(test_runs(:draft)),
      params: { test_run: { broker_groups_attributes: { "0" => { profile: "1" } } } }
    assert_equal true, test_runs(:draft).reload.to_definition.dig("brokers", 0, "profile")
    get edit_test_run_path(test_runs(:draft))
    assert_select "input[type=checkbox][name$='[profile]'][checked]"
  end

  test "a temporary profile lasts up to a minute" do
    post test_run_commands_path(test_runs(:running), format: :json),
      params: { command: { target: "clients", line: "profile", seconds: "15" } }, as: :json
    assert_response :created
    assert_equal "profile 15s", response.parsed_body["line"]
    post test_run_commands_path(test_runs(:running), format: :json),
      params: { command: { target: "clients", line: "profile", seconds: "61" } }, as: :json
    assert_response :unprocessable_entity
    assert_match "profile", response.body
  end
end
