require "test_helper"

class Experiment::EstimateTest < ActiveSupport::TestCase
  test "two values have the interval of Student's t" do
    estimate = Experiment::Estimate.new("p99", [ 99.0, 101.0 ])

    assert_in_delta 12.706, estimate.half_width, 0.001
    assert_in_delta 100 - 12.706, estimate.low, 0.001
    assert estimate.within?(13)
    assert_not estimate.within?(12)
  end

  test "one value and equal values tell nothing about the spread" do
    [ [ 5.0 ], [ 0.0, 0.0 ] ].each do |values|
      estimate = Experiment::Estimate.new("errors", values)
      assert_equal [ nil ] * 3, [ estimate.half_width, estimate.low, estimate.high ]
    end
    assert Experiment::Estimate.new("errors", [ 0.0, 0.0 ]).within?(5)
    assert_not Experiment::Estimate.new("errors", [ 0.0 ]).within?(5)
  end
end
