require "test_helper"
require "test_helpers/modelled_run"

class Experiment::PredictedTest < ActiveSupport::TestCase
  include ActiveJob::TestHelper, ModelledRun

  SIZE = { "name" => "size", "path" => "clients.0.settings.message.size", "levels" => [ 100, 1000 ] }
  WORKERS = { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 2, 4 ] }
  CLIENTS = { "name" => "clients", "path" => "clients.0.clients", "levels" => [ 4, 16 ] }

  test "one point's model predicts the others" do
    experiment = modelled_experiment WORKERS, CLIENTS
    base = experiment.runs_to_predict_from.values.first
    predictions = experiment.predict_from(base)
    assert_equal [ { "clients" => 16 }, { "workers" => 4 }, { "clients" => 16, "workers" => 4 } ],
      predictions.map { |it| it.attributes.slice("clients", "rate", "brokers", "workers", "connections").compact }
    assert_equal experiment.test_runs.to_a - [ base ], predictions.map(&:check_run)

    perform_enqueued_jobs
    predictions.each(&:reload)
    assert_equal %w[ completed ], predictions.map(&:state).uniq, predictions.map(&:error).inspect
    more = predictions.first
    assert_equal 250.0, more.measured("throughput")
    assert_in_delta (250 / more.predicted("throughput")["value"] - 1) * 100, more.error_percent("throughput")
    assert_match "checks it already", more.objections_to_check.sole
    assert_no_difference -> { Prediction.count } do
      assert_equal predictions.map(&:id).sort, Experiment.find(experiment.id).predict_from(base).map(&:id).sort
    end
  end

  test "points that a model cannot predict are left out" do
    experiment = modelled_experiment WORKERS, SIZE
    base = experiment.runs_to_predict_from.values.first
    assert_equal [ { "workers" => 4 } ],
      experiment.predict_from(base).map { |it| it.attributes.slice("clients", "workers").compact }

    sizes = modelled_experiment SIZE
    assert_empty sizes.predict_from(sizes.runs_to_predict_from.values.first)
    assert_match(/can be asked about clients, rate, .* and size is none of these/, sizes.errors.full_messages.sole)
    alone = modelled_experiment WORKERS, but: [ 2 ]
    assert_empty alone.predict_from(alone.runs_to_predict_from.values.first)
    assert_match "no accepted run of another point", alone.errors.full_messages.sole
    assert_empty alone.predict_from(test_runs(:running))
    assert_match "is not the accepted run of a point", alone.errors.full_messages.last
  end
end
