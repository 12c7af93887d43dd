require "test_helper"
require "minitest/mock"

class HealthsControllerTest < ActionDispatch::IntegrationTest
  test "shows the state of each part without names" do
    providers(:local).update_columns swept_at: 50.seconds.ago, sweep_failing_since: nil
    worker(true) { get health_path }

    assert_response :ok
    told = response.parsed_body
    assert_equal [ true ] * 4, told.values_at("sound", "database", "redis", "worker")
    assert_operator told.dig("disk", "free_bytes"), :>, 0
    sweep = told["sweeps"].find { |each| each["provider"] == providers(:local).id }
    assert_in_delta 50, sweep["seconds_since_success"], 5
    assert_nil sweep["seconds_of_failing"]
    Provider.pluck(:name).each { |name| assert_no_match(/"#{Regexp.escape(name)}"/, response.body) }
  end

  test "shows how long a sweep has failed" do
    providers(:local).update_columns swept_at: 1.hour.ago, sweep_failing_since: 20.minutes.ago, sweep_error: "key 17"
    worker(true) { get health_path }

    assert_response :ok
    sweep = response.parsed_body["sweeps"].find { |each| each["provider"] == providers(:local).id }
    assert_in_delta 1.hour, sweep["seconds_since_success"], 5
    assert_in_delta 20.minutes, sweep["seconds_of_failing"], 5
    assert_no_match "key 17", response.body
  end

  test "responds 503 without worker, Redis, DB or disk" do
    worker(true) { head health_path }
    assert_response :ok
    worker(false) { head health_path }
    assert_response :service_unavailable

    worker(nil) { get health_path }
    assert_response :service_unavailable
    assert_equal [ true, false, nil ], response.parsed_body.values_at("database", "redis", "worker")

    away = ->(*) { raise ActiveRecord::ConnectionNotEstablished, "no server at 10.1.2.3" }
    Provider.stub(:transaction, away) { worker(true) { get health_path } }
    assert_response :service_unavailable
    assert_equal [ false, nil ], response.parsed_body.values_at("database", "sweeps")
    assert_no_match "10.1.2.3", response.body

    Health.stub(:free_bytes, 5.megabytes) { worker(true) { get health_path } }
    assert_response :service_unavailable
    assert_equal({ "room" => false, "free_bytes" => 5.megabytes }, response.parsed_body["disk"])
  end

  test "its query timeout ends with the request" do
    worker(true) { get health_path }
    assert_equal "0", Provider.connection.select_value("SHOW statement_timeout")
  end

  private
    def worker(running, &block)
      Worker.stub(:running?, running, &block)
    end
end
