require "test_helper"
require_relative "../../support/nimbus"

# Limits stop an experiment that must not continue or grow.
class Experiment::GuardedTest < ActiveSupport::TestCase
  include RunsHelper

  test "three equal failures in a row pause it" do
    webhook = users(:experimenter).create_webhook!(url: "https://example.org/hook")
    experiment = launch
    3.times { |n| fail_run_of experiment, "broker_#{n} ended with exit code 1: port 810#{n} is taken\nmore" }
    2.times { experiment.advance }

    assert_equal [ "paused", 3 ], [ experiment.reload.state, experiment.test_runs.count ]
    assert_equal "3 runs in a row failed for the same reason: Failed while deploying: broker_2 ended with exit code " \
      "1: port 8102 is taken. Mend it, then resume; or cancel.", experiment.error
    body = JSON.parse(webhook.deliveries.where(test_run: nil).sole.body)
    assert_equal [ "experiment.paused", experiment.id, experiment.error, "/experiments/#{experiment.id}" ],
      [ body["event"], *body["experiment"].values_at("id", "reason", "path") ]

    experiment.resume
    2.times { fail_run_of experiment, "port 8100 is taken" }
    experiment.advance
    assert_predicate experiment.reload, :running?, "failures before the resumption do not count"
  end

  test "different failures do not pause it" do
    experiment = launch
    fail_run_of experiment, "port 8100 is taken"
    fail_run_of experiment, "the disk is full"
    fail_run_of experiment, "port 8100 is taken"
    experiment.advance
    assert_predicate experiment.reload, :running?
  end

  test "a refused launch sends a webhook" do
    webhook = users(:experimenter).create_webhook!(url: "https://example.org/hook")
    experiment = launch
    experiment.pause
    experiment.resume
    TestRun.define_method(:launch) { errors.add(:base, "is beyond a limit") && false }
    experiment.advance

    assert_match "could not be launched: is beyond a limit", experiment.reload.error
    assert_equal [ "experiment.paused" ], webhook.deliveries.map(&:event)
  ensure
    TestRun.remove_method :launch
  end

  test "additions must keep the limits of a launch" do
    experiment = launch
    Experiment.where(id: experiment).update_all state: "finished", ended_at: Time.current
    experiment.reload.points.first.update! skipped_at: Time.current
    ways = { repeat: -> { _1.repeat 1 }, levels: -> { _1.add_levels "workers", [ 8 ] },
      rerun: -> { _1.points.last.rerun }, unskip: -> { _1.points.first.unskip } }

    Provider::Local.define_method(:objections_to) { |_| [ "It is too much" ] }
    ways.each do |name, way|
      asked = Experiment.find(experiment.id)
      assert_not way.call(asked), name
      assert_equal [ "It is too much" ], asked.errors.full_messages, name
      assert_equal [ 1, [ 1, 2 ], 1, 0, "finished" ], asked.reload.then { |it|
        [ it.repetitions, it.factors.sole.levels, it.points.skipped.count, it.points.sum(&:extra), it.state ] }, name
    end
    Provider::Local.remove_method :objections_to
    ways.each { |name, way| assert way.call(Experiment.find(experiment.id)), name }
  ensure
    Provider::Local.remove_method :objections_to if Provider::Local.method_defined?(:objections_to, false)
  end

  test "the number of planned runs is limited" do
    experiment = launch("points" => nil, "design" => "grid", "repetitions" => 50, "factors" => [
      { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => (1..20).to_a } ])
    assert_equal 1_000, experiment.runs_planned
    assert_not experiment.points.first.rerun
    assert_match "1001 runs would be planned, and 1000 are allowed", experiment.errors.full_messages.to_sentence

    experiment = Experiment.find(experiment.id)
    experiment.points.first.skip
    assert experiment.points.second.rerun
    assert_equal 951, experiment.reload.runs_planned
    assert_not experiment.points.first.unskip
    assert_match "1001 runs would be planned", experiment.errors.full_messages.to_sentence
  end

  private
    def launch(words = {})
      factor = { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 1, 2 ] }
      words = { "factors" => [ factor ], "order" => "listed", "again" => 10, **words }.compact
      Experiment.from_definition(DEFINITION.merge("duration" => "20s", "experiment" => words)).tap do |experiment|
        experiment.creator = users(:experimenter)
        assert experiment.launch, experiment.errors.full_messages.to_sentence
      end
    end

    def fail_run_of(experiment, reason)
      experiment.advance
      experiment.reload.test_runs.at_work.sole.update! state: "failed", failed_phase: "deploying", error: reason,
        ended_at: Time.current
    end
end

class Experiment::GuardedOnCloudTest < ActiveSupport::TestCase
  include OnNimbus

  test "the cost includes possible repetitions" do
    factor = { "name" => "rate", "path" => "clients.0.settings.rate", "levels" => [ "1/s", "2/s" ] }
    experiment = Experiment.from_definition("name" => "Up there", "provider" => "sky", "duration" => "60s",
      "brokers" => [ { "scenario" => "Broker", "system" => "rabbitmq", "address" => "amqp://127.0.0.1:1" } ],
      "clients" => [ { "scenario" => "OneWayClient", "settings" => { "rate" => "1/s" } } ],
      "experiment" => { "factors" => [ factor ], "repetitions" => 1, "again" => 2 })
    experiment.update! creator: users(:experimenter)
    one = experiment.estimated_cost / 2
    assert_predicate one, :positive?
    assert_in_delta 6 * one, experiment.highest_cost
    assert_in_delta 6 * one, experiment.plan_as_json["cost_at_most"]

    experiment.points.first.update! extra: 3
    assert_in_delta 5 * one, experiment.reload.estimated_cost
    assert_equal 5, experiment.runs_planned
  end
end
