require "test_helper"

class AnalysisTest < ActiveSupport::TestCase
  test "kind, prefix, window and percentiles within bounds" do
    assert_predicate Analysis.new(test_run: test_runs(:finished), kind: "throughput", percentiles: "2.5, 50, 97.5"),
      :valid?

    analysis = Analysis.new(test_run: test_runs(:finished), kind: "poem", action_prefix: "", window: "0",
      percentiles: "50,x")
    assert_not analysis.valid?
    assert_equal %i[ action_prefix kind percentiles window ], analysis.errors.attribute_names.sort
  end
end
