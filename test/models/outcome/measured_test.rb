require "test_helper"
require_relative "../response_times_test"

class Outcome::MeasuredTest < ActiveSupport::TestCase
  setup do
    @run = test_runs(:running)
    @run.samples.delete_all
    TestRun::Step.where(test_run: @run).delete_all
  end

  test "lines show means or worst values over the load" do
    @run.update! duration: 480 # a step is two seconds
    sample 0.5, rate: 10, p99: 5
    sample 1.5, rate: 20, p99: 9
    sample 2.5, rate: 40, p99: nil

    assert_equal [ [ 0.0, 15.0 ], [ 2.0, 40.0 ] ], @run.outcome.lines["rate"]
    assert_equal [ [ 0.0, 9.0 ] ], @run.outcome.lines["p99"]
  end

  test "the mean of several seconds is that of their requests" do
    @run.update! duration: 2400, warmup: 5, cooldown: 0 # a step is ten seconds, the first has two parts
    @run.reload
    10.times { |second| sample second + 0.5, **(second == 4 ? SLOW : FAST) }
    10.times { |second| sample second + 10.5, **(second == 4 ? SLOW : FAST) }
    sample 20.5, rate: 0

    right = 14_000_000 / 9_010.0
    lines = @run.outcome.lines["mean"]
    assert_equal [ 0.0, 10.0 ], lines.map(&:first)
    lines.each { |_, mean| assert_in_delta right, mean, 0.01 }
    @run.outcome.seconds_by(10, 0..1).each { |_, _, mean, *| assert_in_delta right, mean, 0.01 }
    steady = 19_000_000 / 14_010.0
    assert_in_delta steady, @run.measurement["mean"]["value"], 0.01
    assert_in_delta steady, @run.outcome.figures_measured["mean"]["value"], 0.01
  end

  FAST, SLOW = { rate: 1000, mean: 1000.0 }, { rate: 10, mean: 500_000.0 }

  test "lines of messages are their growth between the last samples of steps" do
    @run.update! duration: 480
    [ 0.5, 1.5, 2.5, 4.5 ].each { |second| sample second, sent: second * 100, received: second * 50 }

    assert_equal [ [ 2.0, 100.0 ], [ 4.0, 100.0 ] ], @run.outcome.lines["sent"]
    assert_equal [ [ 2.0, 50.0 ], [ 4.0, 50.0 ] ], @run.outcome.lines["received"]
  end

  test "figures so far equal those of all samples" do
    @run.update! duration: 960, warmup: 5, cooldown: 5 # a step is four seconds
    20.times do |second|
      sample second + 0.5, rate: 100 + second, mean: 1000, p99: 5000 + second, ok: second * 100, errors: second,
        late: 0, sent: second * 60, received: second * 40, takes: second * 50, empty_takes: second * 10
    end
    so_far, exact = @run.measurement, @run.outcome.figures_measured

    assert_equal [ 15, 112.0, 1000.0 ], [ so_far["seconds"], so_far["rate"]["value"], so_far["mean"]["value"] ]
    assert_equal exact.slice("seconds", "ok", "errors", "late"), so_far.slice("seconds", "ok", "errors", "late")
    assert_equal({ "sent" => 60.0, "received" => 40.0, "empty_takes" => 20.0 }, so_far["messages"])
    assert_equal so_far["messages"], exact["messages"]
    assert_in_delta exact["p99"]["value"], so_far["p99"]["value"], 2
  end

  test "figures are stored when the run ends" do
    @run.update! warmup: 2, duration: 10
    4.times { |second| sample second + 0.5, rate: second * 10 }
    @run.update! state: "finished", ended_at: Time.current
    @run.samples.delete_all

    assert_equal 25.0, TestRun.find(@run.id).measurement.dig("rate", "value")
    assert_equal "unknown", TestRun.find(@run.id).verdict_name, "there are no logs"
  end

  test "the load of a cancelled run ends when cancelled" do
    @run.update! cancelled_at: @run.load_starts_at + 3, ended_at: @run.load_starts_at + 9

    assert_equal 3, @run.seconds_of_load
  end

  test "failed requests count as longest, also so far" do
    @run.update! thresholds: [ "p99 < 10 s" ]
    @run.clients.first.observe Machine::Glanceable::Glance.new(state: "alive", times: ResponseTimesTest::TO_100_MS)
    20.times { |second| sample second + 0.5, rate: 5, p99: 9_400, ok: second * 5, errors: second / 5 }

    so_far = @run.measurement["so_far"]
    assert_equal [ 100, nil ], so_far.values_at("count", "p99")
    assert_equal %w[ p99 max ], so_far["at_least"].keys
    assert_in_delta 100_000, so_far.dig("at_least", "p99"), 500
    assert_equal false, @run.definition.limits.sole.met?(@run.measurement)
  end

  test "percentiles so far include all clients" do
    @run.update! thresholds: [ "p99 < 50 ms" ]
    @run.clients.zip([ ResponseTimesTest::TO_100_MS, ResponseTimesTest::TO_500_MS_ROUGH ]) do |jvm, times|
      jvm.observe Machine::Glanceable::Glance.new(state: "alive", times: times)
    end
    20.times { |second| sample second + 0.5, rate: 100, p99: 9_400 }

    assert_equal [ 200, 84_031 ], @run.measurement["so_far"].values_at("count", "p50")
    assert_equal false, @run.definition.limits.sole.met?(@run.measurement), "the samples alone give 9.4 ms"

    @run.update! state: "cancelled", ended_at: Time.current
    assert_equal 84_031, TestRun.find(@run.id).measurement.dig("so_far", "p50"), "kept when no analysis follows"
  end

  test "new response times alone are no sign of life" do
    client = @run.clients.first
    line = client.progress.to_json
    client.update_columns updated_at: 10.seconds.ago, last_line: line
    client.observe Machine::Glanceable::Glance.new(state: "alive", line: line, times: ResponseTimesTest::TO_100_MS)

    assert_not client.reload.fresh?
    assert_equal ResponseTimesTest::TO_100_MS, client.times
  end

  test "covered seconds end where the load was cut short" do
    @run.update! warmup: 5, duration: 60, cancelled_at: @run.load_starts_at + 20
    20.times { |second| sample second + 0.5, rate: 100 }
    @run.update! state: "cancelled", ended_at: @run.load_starts_at + 25
    assert_equal 5..20, @run.outcome.seconds_covered

    @run.figures["exact"] = { "count" => 1450, "throughput" => 100.0 }
    assert_equal 5..19.5, @run.outcome.seconds_covered
  end

  test "a run without load has neither lines nor figures" do
    @run.update! load_starts_at: nil

    assert_empty @run.outcome.lines.values.flatten
    assert_empty @run.measurement
  end

  private
    def sample(second, **figures)
      Sample.create! test_run: @run, at: @run.load_starts_at + second, figures: figures
    end
end
