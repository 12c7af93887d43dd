require "test_helper"

class TestRuns::ApiTest < ActionDispatch::IntegrationTest
  DEFINITION = {
    name: "By API", duration: "30s", brokers: [ { scenario: "Broker" } ],
    clients: [ { scenario: "OneWayClient", clients: 5 } ]
  }

  test "requires a valid token" do
    get test_runs_path(format: :json)
    assert_response :unauthorized

    get test_runs_path(format: :json), headers: { "Authorization" => "Bearer nonsense" }
    assert_response :unauthorized
    assert_match "not known", error
  end

  test "makes, launches, shows and cancels a run" do
    post test_runs_path(format: :json), params: { definition: DEFINITION, launch: true }, headers: bearer, as: :json
    assert_response :created
    id = response.parsed_body["id"]
    assert_equal "queued", response.parsed_body["state"]

    get test_run_path(id, format: :json), headers: bearer
    assert_equal "5 OneWayClient", response.parsed_body["mix"].split(" · ").last
    assert_equal "30s", response.parsed_body.dig("definition", "duration")

    post test_run_cancellation_path(id, format: :json), headers: bearer
    assert_response :accepted
    assert_predicate TestRun.find(id), :cancelled_at?
    assert_equal ApiToken.find_by_secret("tm_a_token_of_the_tests").user, TestRun.find(id).creator
  end

  test "accepts YAML and names its mistakes" do
    post test_runs_path(format: :json), params: { definition: "name: x\nbroker: []" }, headers: bearer, as: :json

    assert_response :unprocessable_entity
    assert_includes response.parsed_body["errors"].to_s, %q(did you mean \"brokers\"?)
  end

  test "definitions show no password" do
    test_runs(:draft).update! database: "postgresql://ada:secret@db.example.org/postgres"
    get test_run_path(test_runs(:draft), format: :json), headers: bearer

    assert_no_match "secret", response.body
    assert_equal "postgresql://ada@db.example.org/postgres", response.parsed_body.dig("definition", "database")
  end

  test "accepts commands and refuses unknown targets" do
    assert_enqueued_with job: Command::DeliverJob do
      post test_run_commands_path(test_runs(:running), format: :json),
        params: { command: { target: "clients", line: "rate 50/s" } }, headers: bearer, as: :json
    end
    assert_equal %w[ client_0 client_1 ], response.parsed_body["replies"].map { |reply| reply["jvm"] }.sort

    post test_run_commands_path(test_runs(:running), format: :json),
      params: { command: { target: "jvm:broker_9", line: "status" } }, headers: bearer, as: :json
    assert_response :unprocessable_entity
  end

  test "errors are JSON" do
    get test_run_path(0, format: :json), headers: bearer
    assert_response :not_found
    assert_equal "There is no test run 0.", error

    post test_run_commands_path(test_runs(:running), format: :json), headers: bearer, as: :json
    assert_response :bad_request
    assert_equal "The request has no command.", error
  end

  private
    def bearer
      { "Authorization" => "Bearer tm_a_token_of_the_tests" }
    end

    def error
      response.parsed_body["error"]
    end
end
