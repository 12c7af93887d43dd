require "test_helper"

class ThresholdTest < ActiveSupport::TestCase
  FIGURES = {
    "rate" => { "value" => 120.0 }, "mean" => { "value" => 4_000 }, "p99" => { "value" => 48_000 }, "ok" => 990,
    "errors" => 10, "late" => 2
  }

  test "judges figures by thresholds" do
    { "errors < 2 %" => true, "errors<1%" => false, "late <= 0.2 %" => true, "p99(CSndReq#OK#) < 50 ms" => true,
      "p99 < 40000 us" => false,
      "mean <= 4 ms" => true, "throughput >= 120 /s" => true, "throughput > 120 /s" => false }.each do |text, met|
      assert_equal met, Threshold.new(text).met?(FIGURES), text
    end
  end

  test "p99 lies among failed requests where all failed" do
    assert_equal false, Threshold.new("p99 < 5 s").met?({ "ok" => 0, "errors" => 7 })
    assert_nil Threshold.new("p99 < 5 s").met?({ "ok" => 0, "errors" => 0 })
  end

  test "limits any percentile and costs" do
    exact = { "exact" => { "p99.9" => 70_000, "p50" => 900, "cpu_brokers" => 55.5, "max" => 90_000 }, "errors" => 0 }

    assert_equal [ false, true, true, true ], [ "p99.9 < 50 ms", "median < 1 ms", "cpu_brokers < 60 %", "max < 0.1 s" ]
      .map { |text| Threshold.new(text).met?(exact) }
    assert_equal "p99.9 was 70.0 ms, but must be below 50 ms: 40 % over.",
      Threshold.new("p99.9 < 50 ms").breach_in_words(exact)
    assert_equal false, Threshold.new("max < 0.1 s").met?(exact.merge("errors" => 1)),
      "the failed request may be the longest"
  end

  test "tells the interval of a value where it is known" do
    busy = { "exact" => { "cpu_brokers" => 96.1, "cpu_brokers_low" => 94.9, "cpu_brokers_high" => 97.3 } }

    assert_equal "(94.9 % to 97.3 %)", Threshold.new("cpu_brokers >= 95 %").interval_in_words(busy)
    assert_nil Threshold.new("cpu_brokers >= 95 %").interval_in_words("exact" => { "cpu_brokers" => 96.1 })
    assert_nil Threshold.new("errors < 1 %").interval_in_words({})
  end

  test "limits the backlog and the time to drain" do
    drained = { "exact" => { "backlog" => 5_900, "drain" => 14_200_000 } }
    undrained = { "exact" => { "backlog" => 5_900, "at_least" => { "drain" => 30_000_000 } } }

    assert_equal [ true, false, nil ], [ drained, undrained, {} ].map { |it| Threshold.new("drain < 15 s").met?(it) }
    assert_equal "The time to drain was 14.2 s, but must be at most 10 s: 42 % over.",
      Threshold.new("drain <= 10").breach_in_words(drained)
    assert_equal "The time to drain was longer than the rest of the load, but must be below 40 s.",
      Threshold.new("drain < 40 s").breach_in_words(undrained)
    assert_equal "The highest backlog was 5,900 messages, but must be below 5000 messages: 18 % over.",
      Threshold.new("backlog < 5000 messages").breach_in_words(drained)
  end

  test "names a limit of an exact value" do
    assert_equal "Errors were 1.0 %, but must be exactly 0 %.", Threshold.new("errors = 0").breach_in_words(FIGURES)
  end

  test "a value has the digits by which it breaks its limit" do
    { "errors = 0" => [ { "ok" => 1_000_000, "errors" => 4 }, "Errors were 0.0004 %, but must be exactly 0 %" ],
      "throughput > 100 /s" => [ { "exact" => { "throughput" => 99.96 } },
        "Throughput was 99.96 /s, but must be above 100 /s" ],
      "p99 < 500 ms" => [ { "ok" => 1, "errors" => 0, "exact" => { "p99" => 500_040.0 } },
        "p99 was 500.04 ms, but must be below 500 ms" ] }.each do |text, (figures, words)|
      assert_operator Threshold.new(text).breach_in_words(figures), :start_with?, words
    end
    assert_operator Threshold.new("p99 < 500 ms").breach_in_words("ok" => 1, "errors" => 0,
      "exact" => { "p99" => 500_000.0 }), :start_with?, "p99 was 500.0 ms, but must be below 500 ms"
  end

  test "no threshold is met by missing figures" do
    assert_nil Threshold.new("p99 < 5 ms").met?({})
    assert_nil Threshold.new("errors < 1 %").met?({})
  end

  test "a run names invalid thresholds" do
    [ "speed > 1", "p99 < 5 %", "errors < 1 ms", "p101 < 1 ms", "throughput 5 /s", "p99(BQueue) < 1 ms" ].each do |text|
      assert_not Threshold.new(text).valid?, text
    end

    test_runs(:draft).thresholds = [ "errors < 1 %", "speed > 1" ]
    assert_not test_runs(:draft).valid?
    assert_match '"speed > 1" has a figure that is not known, speed: figures are throughput, sent,',
      test_runs(:draft).errors[:thresholds].sole
  end
end
