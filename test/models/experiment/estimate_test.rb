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

  test "a percentile among failed requests in one run has no mean, nor has the longest time" do
    measured = [ { "p99" => 10.0, "max" => 20.0, "mean" => 4.0, "errors" => 0.0 },
      { "p99" => 11.0, "max" => 21.0, "mean" => 5.0, "errors" => 0.5 },
      { "mean" => 6.0, "errors" => 2.0 } ]
    %w[ p99 max ].each do |name|
      estimate = Experiment::Estimate.over(name, measured)
      assert_equal [ nil, nil, 0 ], [ estimate.mean, estimate.low, estimate.n ]
      assert_not estimate.within?(50)
      assert_equal "among failed requests in 1 of 3", estimate.why_unknown
      assert_equal estimate.why_unknown, estimate.as_json["reason"]
    end

    assert_equal [ 5.0, 3 ], Experiment::Estimate.over("mean", measured).then { |it| [ it.mean, it.n ] }
    assert_equal [ 10.5, 2, nil ], Experiment::Estimate.over("p99", measured.first(2))
      .then { |it| [ it.mean, it.n, it.why_unknown ] }
    assert_equal [ 10.0, 1, nil ], Experiment::Estimate.over("p99", [ measured.first, { "errors" => 0.0 } ])
      .then { |it| [ it.mean, it.n, it.why_unknown ] }, "a figure that was not measured does not count"
  end

  test "the time to drain has no mean where one run did not drain" do
    runs = [ { "drain" => 2_000_000, "backlog" => 500.0 },
      { "at_least" => { "drain" => 9_000_000 }, "backlog" => 700.0 } ].map { |exact|
        Experiment::Estimate.of(test_runs(:finished).tap { |run| run.figures = { "exact" => exact } })
      }

    assert_equal [ 600.0, 2 ], Experiment::Estimate.over("backlog", runs).then { |it| [ it.mean, it.n ] }
    assert_equal [ nil, "not drained in 1 of 2" ], Experiment::Estimate.over("drain", runs)
      .then { |it| [ it.mean, it.why_unknown ] }
    assert_equal [ 2.0, nil ], Experiment::Estimate.over("drain", runs.first(1))
      .then { |it| [ it.mean, it.why_unknown ] }
  end

  test "a time of messages has no mean if one run does not tell it, because its longest never came" do
    measured = [ { "e2e_p99" => 10.0 }, { "e2e_p99" => 12.0 }, { "throughput" => 100 } ]

    assert_equal [ nil, 0, "not told in 1 of 3" ],
      Experiment::Estimate.over("e2e_p99", measured).then { |it| [ it.mean, it.n, it.why_unknown ] }
    assert_equal [ 11.0, 2, nil ],
      Experiment::Estimate.over("e2e_p99", measured.first(2)).then { |it| [ it.mean, it.n, it.why_unknown ] }
    assert_equal [ nil, 0, nil ],
      Experiment::Estimate.over("ack_p99", measured).then { |it| [ it.mean, it.n, it.why_unknown ] }
  end
end
