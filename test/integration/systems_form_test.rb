require "test_helper"

class SystemsFormTest < ActionDispatch::IntegrationTest
  FIELDS = {
    name: "Quorum queues", revision: "HEAD", duration: "30s", warmup: "1s", cooldown: "0s", timeout: "10min",
    when_jvm_dies: "fail", database_kind: "machine", database_fields: { shared_buffers: "1GB", fill: "1,2,3" },
    keep_database: "1",
    broker_groups_attributes: { "0" => { system: "rabbitmq", shown_address: "amqps://u:s3cret@mq/x",
      scenario_settings: { queue: "quorum" }, further_settings_text: "" } },
    client_groups_attributes: { "0" => { scenario: "PublicQueueProducer", client_count: "2" } }
  }

  setup { sign_in_as users(:experimenter) }

  test "the form of another system forgets the database" do
    fields = FIELDS.deep_dup.merge(provider_id: Provider::Local.default.id)
    post estimate_path, params: { test_run: fields }
    assert_response :success
    assert_no_match "Database connections", response.body

    post test_runs_path, params: { test_run: fields }
    run = TestRun.find_by!(name: "Quorum queues")
    assert_equal({ "queue" => "quorum" }, run.broker_groups.sole.settings)
    assert_equal [ "embedded", {}, false ], [ run.database, run.database_settings, run.keep_database ]

    get edit_test_run_path(run)
    assert_select "input[name$='[shown_address]'][value=?]", "amqps://u@mq/x"
    assert_no_match "s3cret", response.body
    fields[:broker_groups_attributes]["0"].merge! shown_address: "amqps://u@mq/x"
    patch test_run_path(run), params: { test_run: fields.except(:client_groups_attributes) }
    assert_equal "s3cret", run.reload.system_password
  end

  test "an unsupported scenario comes with alternatives" do
    words = /Larry cannot be run on ActiveMQ; .*PublicQueueProducer.* can/
    post test_runs_path, params: { test_run: FIELDS.deep_merge(provider_id: Provider::Local.default.id,
      broker_groups_attributes: { "0" => { system: "activemq", shown_address: "", scenario_settings: {} } },
      client_groups_attributes: { "0" => { scenario: "Larry" } }) }
    assert_response :unprocessable_entity
    assert_match words, response.body

    definition = { name: "x", brokers: [ { system: "activemq" } ], clients: [ { scenario: "Larry" } ] }
    post test_runs_path(format: :json), as: :json, params: { definition: definition }
    assert_response :unprocessable_entity
    assert_match words, response.body
  end
end
