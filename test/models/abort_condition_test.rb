require "test_helper"

class AbortConditionTest < ActiveSupport::TestCase
  test "is met when every second crosses the threshold" do
    condition = AbortCondition.new("errors > 50 % for 10 s")

    assert condition.met_by?(samples(12) { |n| { "ok" => n, "errors" => 9 * n } })
    assert_not condition.met_by?(samples(12) { |n| { "ok" => n, "errors" => n == 11 ? 0 : 9 * n } }),
      "the last second does not cross it"
    assert_not condition.met_by?(samples(6) { |n| { "ok" => n, "errors" => 9 * n } }), "not for 10 s yet"
    assert_not condition.met_by?(samples(12) { |n| { "ok" => 0, "errors" => 0 } }), "no requests"
  end

  test "is not met before its whole time has passed" do
    crossing = samples(5) { { "p99" => 1_500_000 } }

    assert AbortCondition.new("p99 > 1 s for 4 s").met_by?(crossing)
    assert_not AbortCondition.new("p99 > 1 s for 4 s").met_by?(crossing.drop(1)), "3 s of 4"
    assert_not AbortCondition.new("p99 > 1 s for 5 s").met_by?(crossing)
  end

  test "is not met across seconds without samples" do
    crossing = samples(13) { { "p99" => 1_500_000 } }

    assert AbortCondition.new("p99 > 1 s for 10 s").met_by?(crossing)
    assert_not AbortCondition.new("p99 > 1 s for 10 s").met_by?(crossing.reject.with_index { |_, n| n.between?(5, 8) })
  end

  test "compares response times" do
    assert AbortCondition.new("p99 > 1 s for 2 s").met_by?(samples(5) { { "p99" => 1_500_000 } })
    assert_not AbortCondition.new("p99 > 2 s for 2 s").met_by?(samples(5) { { "p99" => 1_500_000 } })
  end

  test "compares percentiles among failed requests too" do
    p95 = ->(times) { samples(5) { |n| { "ok" => 9 * n, "errors" => n, "p99" => 9_000_000, "times" => times } } }

    assert AbortCondition.new("p95 > 1 s for 2 s").met_by?(p95.({ "count" => 9, "p95" => 1_500_000 }))
    assert_not AbortCondition.new("p95 > 2 s for 2 s").met_by?(p95.({ "count" => 9, "p95" => 1_500_000 }))
    assert AbortCondition.new("p95 > 2 s for 2 s").met_by?(p95.({ "count" => 9, "at_least" => { "p95" => 100 } }))
    assert_not AbortCondition.new("p95 > 2 s for 2 s").met_by?(p95.(nil)), "clients of an earlier version send no times"
  end

  test "reads the longest time of a second" do
    max = ->(errors, times) { samples(5) { |n| { "ok" => 9 * n, "errors" => errors * n, "times" => times } } }

    assert AbortCondition.new("max > 1 s for 2 s").met_by?(max.(0, { "count" => 9, "max" => 1_500_000 }))
    assert_not AbortCondition.new("max > 2 s for 2 s").met_by?(max.(0, { "count" => 9, "max" => 1_500_000 }))
    assert AbortCondition.new("max > 2 s for 2 s").met_by?(max.(1, { "count" => 9, "at_least" => { "max" => 100 } })),
      "a request that failed lasted longer than any that was answered"
  end

  test "compares messages of each second" do
    received = ->(each, ms = 1000) do
      samples(5) do |n|
        { "sent" => 0, "received" => n * each, "takes" => n, "empty_takes" => 0, "counted_ms" => n * ms }
      end
    end

    assert AbortCondition.new("received < 10/s for 2 s").met_by?(received.(9))
    assert_not AbortCondition.new("received < 10/s for 2 s").met_by?(received.(11))
    assert_not AbortCondition.new("received < 10/s for 2 s").met_by?(received.(9, 500)), "by the clients' clock"
    unheard = received.(0).each { |sample| sample.figures.delete "counted_ms" }
    assert_not AbortCondition.new("received < 10/s for 2 s").met_by?(unheard), "no client has reported again"
    assert_not AbortCondition.new("received < 10/s for 2 s").met_by?(samples(5) { { "ok" => 1 } }), "not counted"
  end

  test "an unreadable condition is refused with an example" do
    run = test_runs(:draft)
    run.abort_when = [ "errors > 50 %", "errors > many for 10 s", "p99 > 1 s for 1 min" ]

    assert_not run.valid?
    assert_equal 2, run.errors[:abort_when].size
    assert_match 'must be such as "errors > 50 % for 10 s"', run.errors[:abort_when].first
    assert_match '"errors > many for 10 s" must be such as', run.errors[:abort_when].second
    assert_match "is not known while a run is active, cpu", AbortCondition.new("cpu > 90 % for 10 s").complaint
  end

  private
    def samples(count)
      Array.new(count) { |n| Sample.new(at: Time.utc(2026, 1, 1) + n, figures: yield(n)) }
    end
end
