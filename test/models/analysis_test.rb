require "test_helper"

class AnalysisTest < ActiveSupport::TestCase
  include RunsHelper

  test "validates kind, prefix, window and percentiles" do
    assert_predicate Analysis.new(test_run: test_runs(:finished), kind: "throughput", percentiles: "2.5, 50, 97.5"),
      :valid?

    analysis = Analysis.new(test_run: test_runs(:finished), kind: "poem", action_prefix: "", window: "0",
      percentiles: "50,x")
    assert_not analysis.valid?
    assert_equal %i[ action_prefix kind percentiles window ], analysis.errors.attribute_names.sort
  end

  test "offers the plots that the logs of the system allow" do
    assert_equal Analysis::KINDS, System.default.plots
    assert_equal %w[ breakdown messages queues rates ], (Analysis::KINDS - System["rabbitmq"].plots).sort
    assert_equal %w[ messages queues rates steps ], (Analysis::KINDS - Analysis::OF_ACTIONS).sort

    analysis = Analysis.new(test_run: build_run(brokers: [ { scenario: "Broker", system: "rabbitmq" } ]), kind: "rates")
    assert_not analysis.valid?
    assert_match "for a run of RabbitMQ", analysis.errors[:kind].first
  end
end
