require "test_helper"

class ComparisonsHelperTest < ActionView::TestCase
  test "throughput and p99 come first, and what is within noise last" do
    figures = { "errors" => "worse", "mean" => "within noise", "p99" => "within noise", "cpu_brokers" => "no interval",
      "throughput" => "better" }.map { |name, verdict|
        { "figure" => name, "sides" => { "A" => { "value" => 1 }, "B" => { "value" => 2, "verdict" => verdict } } }
      }
    told, noise = figures_to_tell(figures)

    assert_equal %w[ throughput p99 errors cpu_brokers ], told.pluck("figure")
    assert_equal %w[ mean ], noise.pluck("figure")
  end
end
