require "test_helper"

class ComparisonsHelperTest < ActionView::TestCase
  include FiguresHelper

  test "throughput and p99 come first, and what is within noise last" do
    figures = { "errors" => "worse", "mean" => "within noise", "p99" => "within noise", "cpu_brokers" => "no interval",
      "throughput" => "better" }.map { |name, verdict|
        { "figure" => name, "sides" => { "A" => { "value" => 1 }, "B" => { "value" => 2, "verdict" => verdict } } }
      }
    told, noise = figures_to_tell(figures)

    assert_equal %w[ throughput p99 errors cpu_brokers ], told.pluck("figure")
    assert_equal %w[ mean ], noise.pluck("figure")
  end

  test "calls a change of what is neither good nor bad neither better nor worse" do
    assert_nil Figure["under_way"].better
    assert_equal '<span class="change" title="1.500 times the baseline">+50 % more</span>',
      change_tag("percent" => 50.0, "verdict" => "more")
  end

  test "says of a backlog whether it drained, as an infinite time has no change in per cent" do
    reason = { "percent" => nil, "reason" => "not drained by the end" }
    changes = [ { "baseline_at_least" => 9 }, { "at_least" => 9 }, { "at_least" => 9, "baseline_at_least" => 8 } ]
    assert_equal [ "drained now", "not drained now", "not drained in both" ],
      changes.map { |it| change_in_words(reason.merge(it)) }
    assert_equal "now among failed requests", change_in_words("percent" => nil, "at_least" => 9)
    assert_equal "5,852", value_of_figure(5851.6, "messages")

    units = %w[ drain p99 ].map { |name| unit_of_figure("figure" => name, "unit" => "us") }
    assert_equal %w[ s ms ], units
    assert_equal [ "6.2", "> 9.0" ], [ { "value" => 6_200_000 }, { "at_least" => 9_000_000 } ].map { |it|
      value_in_words(it, units.first) }
  end
end
