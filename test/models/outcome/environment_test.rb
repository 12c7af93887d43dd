require "test_helper"

class Outcome::EnvironmentTest < ActiveSupport::TestCase
  test "contains every setting in force, also defaults" do
    run = TestRun.from_definition("name" => "Defaults", "brokers" => [ { "scenario" => "Broker",
      "settings" => { "batch.max" => "7", "storage" => "memory" } } ],
      "clients" => [ { "scenario" => "OneWayClient", "settings" => { "timeout" => "3s" } } ])
    run.update! creator: users(:experimenter)
    run.lay_out
    broker, client = Outcome::Environment.new(run.reload).to_h["machines"].flat_map { |machine| machine["jvms"] }
      .map { |jvm| jvm["settings"] }

    assert_equal %w[ 2 2 7 memory ],
      broker.values_at("broker.workers", "broker.db.connections", "broker.batch.max", "broker.storage")
    assert_equal %w[ 3s 1 jvm ], client.values_at("client.timeout", "client.inflight.max", "client.rate.of")
    assert_not client.key?("client.rate")
  end
end
