require "test_helper"

class TestRuns::UnsavedDefinitionsControllerTest < ActionDispatch::IntegrationTest
  TYPED = {
    name: "Half a run", duration: "soon", database_kind: "url", database_url: "postgresql://u:hidden@db.example.org/x",
    broker_groups_attributes: { "7" => { scenario: "Broker", machine_count: "1", jvm_count: "many" } }
  }

  setup { sign_in_as users(:experimenter) }

  test "unsaved fields come back until they are saved" do
    post unsaved_definition_path, params: { test_run: TYPED }
    assert_response :created
    assert_no_match "hidden", ApplicationRecord.connection.select_value("SELECT fields FROM unsaved_definitions")

    get new_test_run_path
    assert_select "[name='test_run[name]'][value='Half a run']"
    assert_select "#test_run_duration[value=soon][aria-invalid=true]"
    assert_select "[role=status]", /is back, as you left it/
    assert_select "[name='test_run[database_url]'][value*='db.example.org']"
    get new_test_run_path(example: "first_look")
    assert_select "[value='Half a run']", false

    post test_runs_path, params: { test_run: TYPED.merge(name: "") }
    assert_response :unprocessable_entity
    assert_equal 1, UnsavedDefinition.count
    post test_runs_path, params: { example: "first_look" }
    assert_equal 0, UnsavedDefinition.count
  end

  test "a draft has unsaved fields of its own" do
    draft = test_runs(:draft)
    post test_run_unsaved_definition_path(draft), params: { test_run: { name: "Renamed", warmup: "x" } }

    get edit_test_run_path(draft)
    assert_select "[name='test_run[name]'][value=Renamed]"
    assert_equal "Two brokers, mixed clients", draft.reload.name
    delete test_run_unsaved_definition_path(draft)
    follow_redirect!
    assert_select "[name='test_run[name]'][value='Two brokers, mixed clients']"

    post test_run_unsaved_definition_path(draft), params: { test_run: { name: "Renamed" } }
    sign_in_as users(:administrator)
    get edit_test_run_path(draft)
    assert_select "[value=Renamed]", false
    travel(1.minute) { draft.touch }
    sign_in_as users(:experimenter)
    get edit_test_run_path(draft)
    assert_select "[value=Renamed]", false
  end

  test "reads unsaved fields of an earlier version in order" do
    draft = test_runs(:draft)
    UnsavedDefinition.keep users(:experimenter), draft, "client_groups_attributes" => {
      "0" => { "id" => "17", "position" => "1", "_destroy" => "", "scenario" => "PublicQueueProducer" },
      "1" => { "id" => "18", "position" => "0", "_destroy" => "0", "scenario" => "OneWayClient", "jvm_count" => "3" },
      "2" => { "id" => "19", "position" => "2", "_destroy" => "1", "scenario" => "OneWayClient" } }

    get edit_test_run_path(draft)
    assert_response :success
    assert_select "[name='test_run[client_groups_attributes][0][jvm_count]'][value='3']"
    assert_select "[name='test_run[client_groups_attributes][1][scenario]'] [selected]", "PublicQueueProducer"
    assert_select "[name='test_run[client_groups_attributes][2][scenario]']", false
  end

  test "refuses unsaved fields that are too long" do
    post unsaved_definition_path, params: { test_run: { name: "x" * 600.kilobytes } }
    assert_response :unprocessable_entity
    assert_match "longer than 500 KB", response.parsed_body["errors"].first
  end
end
