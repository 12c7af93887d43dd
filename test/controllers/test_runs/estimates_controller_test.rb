require "test_helper"
require "minitest/mock"

class TestRuns::EstimatesControllerTest < ActionDispatch::IntegrationTest
  setup do
    sign_in_as users(:experimenter)
    @cloud = Provider::Ec2.create!(name: "cloud", limit_run: 1)
    @definition = { name: "", provider_id: @cloud.id, database_kind: "machine", duration: "60s", timeout: "30min",
      broker_groups_attributes: { "0" => { scenario: "Broker", machine_count: 1, jvm_count: 1 } },
      client_groups_attributes: { "0" => { scenario: "OneWayClient", machine_count: 2, jvm_count: 1,
        client_count: 5 } } }
  end

  test "estimates an incomplete definition, saves nothing" do
    assert_no_difference -> { TestRun.count } do
      post estimate_path, params: { test_run: @definition }
    end

    assert_select "turbo-frame#estimate dl", /Machines\s*4\s*Estimated cost\s*≈\s*\$0\.07/
    assert_select "#estimate .note", 0
  end

  test "asks for a price that is not known instead of counting it as zero" do
    @definition[:broker_groups_attributes]["0"][:instance_type] = "x99.huge"
    post estimate_path, params: { test_run: @definition }

    assert_select "turbo-frame#estimate dl dd.worse", "unknown"
    assert_select "#estimate .note li", /There is no price of x99.huge.* add it under Type prices of the provider cloud/
  end

  test "shows mistakes while somebody types, but not what is still empty" do
    post estimate_path, params: { test_run: @definition.merge(duration: "10s", warmup: "20s") }
    assert_select "#mistakes li", 1
    assert_select "#mistakes li", /\ALoad lasts \(duration\) must be longer than warm-up and cool-down/

    post estimate_path, params: { test_run: @definition, correcting: 1 }
    assert_select "#mistakes li", /Name can't be blank/
  end

  test "advises C2 for a load that is long enough" do
    { [ "60s", "c1" ] => 0, [ "10min", "c2" ] => 0, [ "10min", "c1" ] => 1 }.each do |(duration, compiler), notes|
      post estimate_path, params: { test_run: @definition.merge(duration: duration, jit_compiler: compiler) }
      assert_select "#estimate .note", { text: /A load of 10:00 is long enough for C2/, count: notes }, duration
    end
  end

  test "shows what would make the run fail" do
    post estimate_path, params: { test_run: @definition.merge(name: "a", revision: "no-such-branch") }

    assert_select "#estimate li", "There is no revision no-such-branch in this checkout."
  end

  test "draws clients, brokers, database and machines" do
    post estimate_path, params: { test_run: @definition }

    assert_equal "Layout: 10 clients in 2 JVMs, then 1 broker MLMQ, then PostgreSQL own machine",
      css_select("svg.layout").sole["aria-label"]
    assert_equal [ "2 machines", "1 machine", "1 machine" ], css_select(".layout .frame + .place").map(&:text)
  end

  test "shows launch blockers" do
    @definition[:broker_groups_attributes]["0"][:machine_count] = 60
    post estimate_path, params: { test_run: @definition }

    assert_select "#estimate li", /would cost about 1\.\d\d USD \(63 instances\); the provider allows 1\.00 USD/
    assert_select "#estimate li", /needs 63 instances/
  end

  test "shows the disk needed, and where it lacks" do
    @definition.merge! provider_id: providers(:local).id, database_kind: "embedded", duration: "1h"
    post estimate_path, params: { test_run: @definition }
    assert_select "#estimate dl", /Disk\s*≈\s*[\d.]+ GB/
    assert_select "#estimate .note", 0

    Health.stub(:free_bytes, 2.gigabytes) { post estimate_path, params: { test_run: @definition } }
    assert_select "#estimate li", /needs about [\d.]+ GB of disk, and [\d.]+ GB are free/
    assert_select "#estimate dd.worse", /GB/
  end

  test "estimates unsaved changes of a draft" do
    draft = test_runs(:draft)
    patch test_run_estimate_path(draft),
      params: {
        test_run: {
          provider_id: @cloud.id, duration: "2h", client_groups_attributes: { "-1" => { _destroy: "1" } }
        }
      }

    assert_select "#estimate dd", draft.broker_groups.sum(&:machine_count).to_s
    assert_equal [ providers(:local), 1 ], [ draft.reload.provider, draft.client_groups.size ]
  end

  test "does not estimate an unreadable definition" do
    post estimate_path, params: { test_run: @definition.merge(duration: "long") }

    assert_select "turbo-frame#estimate"
    assert_select "#estimate dl", 0
  end
end
