require "test_helper"

class EffectsHelperTest < ActionView::TestCase
  include ExperimentsHelper

  Point = Struct.new(:levels, :measured) do
    def figure(name)
      Experiment::Estimate.over(name, measured)
    end
  end

  test "a level has no mean where a point of it lies among failed requests" do
    points = [ [ 1, { "p99" => 10.0 } ], [ 1, { "p99" => 20.0 } ], [ 2, { "p99" => 30.0 } ], [ 2, { "errors" => 1 } ] ]
      .map { |level, figures| Point.new({ "workers" => level }, [ figures ]) }
    experiment = Experiment.new.tap do |it|
      it.define_singleton_method(:points) { points }
      it.define_singleton_method(:factors) { [ Experiment::Factor.new(name: "workers", levels: [ 1, 2, 3 ]) ] }
      it.build_evaluation response: "p99"
    end
    results = { "effects" => [ { "name" => "workers", "f" => 7.0, "share" => 1.0, "within_noise" => false } ] }

    assert_equal [ "workers: 15.0 ms at 1 and no mean at 2." ], effects_in_words(experiment, results)
  end
end
