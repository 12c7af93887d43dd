require "test_helper"

class Experiment::AdvancedTest < ActiveSupport::TestCase
  include RunsHelper

  test "attempts continue from the highest number" do
    experiment = launch
    3.times { fail_run_of experiment }
    experiment.advance
    assert_predicate experiment.reload, :finished?
    assert experiment.test_runs.find_by!(attempt: 1).destroy

    experiment.repeat 1 # the missing run of the first repetition may be repeated
    experiment.advance
    run = experiment.reload.test_runs.last

    assert_equal [ 1, 4 ], [ run.repetition, run.attempt ]
    assert_predicate run, :at_work?
  end

  test "attempts of a search by steps continue too" do
    experiment = launch("find" => { "rate" => "40/s..160/s", "until" => [ "errors = 0" ] })
    2.times { fail_run_of experiment }
    Experiment.where(id: experiment).update_all state: "finished"
    assert experiment.reload.test_runs.find_by!(attempt: 1).destroy

    experiment.reload.continue
    experiment.advance

    assert_equal [ 2, 3 ], experiment.reload.test_runs.map(&:attempt)
  end

  test "a run of an active experiment cannot be deleted" do
    experiment = launch
    run = fail_run_of(experiment)

    assert_not run.destroy
    assert_equal [ "belongs to experiment #{experiment.id}, which is active: cancel that first" ],
      run.errors.full_messages
    Experiment.where(id: experiment).update_all state: "cancelled"
    assert run.reload.destroy
  end

  test "a conflict pauses unless another worker launched" do
    experiment = launch
    other = experiment.run_at(experiment.points.first.levels)
    conflict = -> { raise ActiveRecord::RecordNotUnique, "duplicate key" }

    before_launch_of(experiment) do
      other.update! experiment: experiment, point: experiment.points.first, repetition: 1, attempt: 1, state: "queued",
        launched_at: Time.current
    end
    stubbing_launch(conflict) { experiment.advance }
    assert_equal [ "running", nil ], experiment.reload.values_at(:state, :error)

    before_launch_of(experiment) { other.update_columns state: "failed" }
    other.update_columns state: "failed"
    stubbing_launch(conflict) { experiment.advance }
    assert_predicate experiment.reload, :paused?
    assert_match "duplicate key", experiment.error
  end

  test "one run at most is prepared during collection" do
    experiment = launch("repetitions" => 3, "order" => "listed")
    experiment.advance
    first = experiment.reload.test_runs.sole
    first.update_columns state: "collecting"
    3.times { Experiment.find(experiment.id).advance }

    assert_equal %w[ collecting queued ], experiment.reload.test_runs.map(&:state)
  end

  test "an unexpected error pauses it with the reason" do
    experiment = launch
    experiment.define_singleton_method(:due) { raise KeyError, "key not found: 7\nin a line of its own" }
    experiment.advance

    assert_predicate experiment.reload, :paused?
    assert_equal "KeyError: key not found: 7. #{TestRun::Phase::ADVICE_ON_MISTAKES} Resume it once that is mended.",
      experiment.error
    experiment.resume
    Experiment.find(experiment.id).advance
    assert_equal 1, experiment.reload.test_runs.at_work.count
  end

  test "a database error does not pause it" do
    experiment = launch
    [ ActiveRecord::ConnectionFailed, ActiveRecord::Deadlocked, Lockable::Lost ].each do |trouble|
      experiment.define_singleton_method(:due) { raise trouble, "for a moment" }
      assert_raises(trouble) { experiment.advance }
      assert_predicate experiment.reload, :running?
    end
  end

  test "cancelling or pausing prevents a prepared launch" do
    { cancel: [ "cancelled", 0 ], pause: [ "paused", 0 ] }.each do |wish, outcome|
      experiment = launch
      before_launch_of(experiment) { Experiment.find(experiment.id).public_send(wish) }
      experiment.advance
      experiment.advance

      assert_equal outcome, [ experiment.reload.state, experiment.test_runs.count ]
    end
  end

  test "cancelling while it is resumed stays in force" do
    experiment = launch
    experiment.advance
    experiment.cancel

    assert_not experiment.repeat(1)
    assert_equal [ "experiment: is being cancelled: wait until it has ended" ], experiment.errors.full_messages
    assert_predicate experiment.reload, :cancelling?
  end

  private
    # Calls the block when the next run is chosen and before it is launched.
    def before_launch_of(experiment, &block)
      experiment.define_singleton_method(:run_at) { |*args| super(*args).tap { block.call } }
    end

    def launch(words = {})
      factor = { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 1, 2 ] }
      usual = { "factors" => [ factor ], "design" => "points", "points" => [ { "workers" => 1 } ], "order" => "listed" }
      definition = DEFINITION.merge("duration" => "20s",
        "experiment" => words["find"] ? words : usual.merge(words))
      Experiment.from_definition(definition).tap do |experiment|
        experiment.creator = users(:experimenter)
        assert experiment.launch, experiment.errors.full_messages.to_sentence
      end
    end

    # Fails the active run, or launches the next one and fails it.
    def fail_run_of(experiment)
      experiment.advance
      experiment.reload.test_runs.at_work.sole.tap do |run|
        run.update_columns state: "failed", error: "No reason #{run.id}", ended_at: Time.current
      end
    end

    def stubbing_launch(block)
      TestRun.define_method(:launch) { block.call }
      yield
    ensure
      TestRun.remove_method :launch
    end
end
