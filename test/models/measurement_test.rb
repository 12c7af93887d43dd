require "test_helper"

class MeasurementTest < ActiveSupport::TestCase
  test "ignores warm-up and cool-down" do
    samples = (0...40).map do |second|
      sample second, rate: second.between?(10, 30) ? 100 : 7, ok: second * 10, errors: second < 20 ? 0 : 3
    end
    figures = measure(samples, steady: 10..30)

    assert_equal 21, figures["seconds"]
    assert_equal({ "value" => 100.0, "low" => 100.0, "high" => 100.0 }, figures["rate"])
    assert_equal [ 200, 3 ], figures.values_at("ok", "errors")
  end

  test "counts requests of seconds without samples" do
    seen = [ sample(1, ok: 100), sample(2, ok: 200), sample(12, ok: 700, errors: 500) ]
    assert_equal [ 500, 400 ], measure(seen, steady: 1..10).values_at("ok", "errors")
    assert_equal [ 500, 500 ], measure(seen, steady: 2..60).values_at("ok", "errors")
    assert_equal [ 700, 500 ], measure(seen, steady: 20..60).values_at("ok", "errors")
  end

  test "weighs a sample by its seconds" do
    figures = measure([ sample(2, rate: 10, p99: 1).tap { |it| it.weight = 3 }, sample(3, rate: 50, p99: 9) ])

    assert_equal [ 4, 20.0, 1 ], [ figures["seconds"], figures["rate"]["value"], figures["p99"]["value"] ]
  end

  test "the interval is that of batch means" do
    samples = (0...20).map { |second| sample second, rate: second.even? ? 90 : 110 }
    assert_equal 0.0, measure(samples)["rate"].then { |rate| rate["high"] - rate["low"] }

    trending = (0...20).map { |second| sample second, rate: second }
    half_width = 2.262 * Math.sqrt((0...10).sum { |n| (2 * n - 9.0)**2 } / 9 / 10)
    assert_in_delta 9.5 + half_width, measure(trending)["rate"]["high"], 0.01
  end

  test "the mean is that of requests, not of seconds" do
    samples = (1..10).map { |n| n == 5 ? sample(n, rate: 10, mean: 500_000.0) : sample(n, rate: 1000, mean: 1000.0) }
    idle = sample(11, rate: 0, mean: nil)

    assert_equal({ "value" => 1553.83 }, measure([ *samples, idle ])["mean"])
    stalled = samples.map(&:dup).each { |it| it.weight = it.second == 5 ? 2 : 1 }
    assert_equal (9_000_000 + 10_000_000).fdiv(9_020).round(2), measure(stalled)["mean"]["value"],
      "a step of two seconds has twice the requests"
    assert_nil measure([ idle ])["mean"]
  end

  # W. G. Cochran, Sampling Techniques, chapter 6: the deviations of batches are sum - ratio * count.
  test "the mean has the interval of a ratio of batches" do
    steady = (0...20).map { |n| sample n, rate: n.even? ? 10 : 1000, mean: n.even? ? 300.0 : 100.0 }
    assert_equal [ 101.98 ] * 3, measure(steady)["mean"].values_at("value", "low", "high")

    bursts = (0...20).map { |n| sample n, rate: n < 2 ? 100 : 10, mean: n < 2 ? 200.0 : 100.0 }
    ratio = (2 * 100 * 200 + 18 * 10 * 100) / 380.0
    deviations = [ 200 * (200 - ratio), *[ 20 * (100 - ratio) ] * 9 ]
    half_width = 2.262 * Math.sqrt(deviations.sum { |it| it**2 } / 9 / 10) / 38
    mean = measure(bursts)["mean"]
    assert_in_delta ratio, mean["value"], 0.01
    assert_in_delta ratio + half_width, mean["high"], 0.02
    assert_in_delta ratio - half_width, mean["low"], 0.02
  end

  test "few seconds have no interval, and none no figures" do
    assert_nil measure([ sample(1, rate: 5) ])["rate"]["low"]
    assert_empty measure([])
  end

  test "shows median and range of per-second percentiles" do
    samples = (0..100).map { |second| sample second, p99: second }
    assert_equal({ "value" => 50, "low" => 3, "high" => 98 }, measure(samples)["p99"])
  end

  test "messages are counted over the measurement interval" do
    counted = [ 4, 6, 10, 20, 30, 34 ].map do |second|
      sample(second).tap do |it|
        it.sent, it.received, it.takes = 100 * second, 90 * second, 100 * second
        it.empty_takes = 10 * [ second, 20 ].min
      end
    end
    assert_equal({ "sent" => 100.0, "received" => 90.0, "empty_takes" => 5.0 },
      measure(counted, steady: 10..30)["messages"])
    assert_equal({ "sent" => 100.0, "received" => 90.0, "empty_takes" => 10.0 },
      measure(counted.first(3), steady: 5..30)["messages"], "as far as they were counted")
    assert_nil measure([ sample(1), sample(5) ])["messages"], "clients of an earlier version do not count them"
  end

  private
    def measure(samples, steady: 0..1000)
      Measurement.new(samples, steady: steady, duration: 40.0).to_h
    end

    def sample(second, rate: 1, ok: 0, errors: 0, p99: 1, mean: 1)
      Measurement::Sample.new(second, rate, mean, p99, ok, errors, 0)
    end
end
