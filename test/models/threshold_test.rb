require "test_helper"

class ThresholdTest < ActiveSupport::TestCase
  FIGURES = {
    "rate" => { "value" => 120.0 }, "mean" => { "value" => 4_000 }, "p99" => { "value" => 48_000 }, "ok" => 990,
    "errors" => 10, "late" => 2
  }

  test "what people write is held against the figures" do
    { "errors < 2 %" => true, "errors<1%" => false, "late <= 0.2 %" => true, "p99(CSndReq#OK#) < 50 ms" => true,
      "p99 < 40000 us" => false,
      "mean <= 4 ms" => true, "throughput >= 120 /s" => true, "throughput > 120 /s" => false }.each do |text, met|
      assert_equal met, Threshold.new(text).met?(FIGURES), text
    end
  end

  test "where all requests failed, p99 is among them" do
    assert_equal false, Threshold.new("p99 < 5 s").met?({ "ok" => 0, "errors" => 7 })
    assert_nil Threshold.new("p99 < 5 s").met?({ "ok" => 0, "errors" => 0 })
  end

  test "nothing is met by figures that are not there" do
    assert_nil Threshold.new("p99 < 5 ms").met?({})
    assert_nil Threshold.new("errors < 1 %").met?({})
  end

  test "a run says which of its thresholds it does not understand" do
    [ "speed > 1", "p99 < 5 %", "errors < 1 ms", "p98 < 1 ms", "throughput 5 /s", "p99(BQueue) < 1 ms" ].each do |text|
      assert_not Threshold.new(text).valid?, text
    end

    test_runs(:draft).thresholds = [ "errors < 1 %", "speed > 1" ]
    assert_not test_runs(:draft).valid?
    assert_match '"speed > 1" must be such as', test_runs(:draft).errors[:thresholds].sole
  end
end
