require "test_helper"

class TestRun::PhaseTest < ActiveSupport::TestCase
  include RunsHelper

  test "each phase is a class, in the order of states" do
    classes = TestRun::Phase::NAMES.map { |name| TestRun::Phase.of TestRun.new(state: name) }.map(&:class)

    assert_equal TestRun::Phase::NAMES, classes.map { |phase| phase.name.demodulize.underscore }
    classes.each { |phase| assert_includes phase.public_instance_methods(false), :perform }
    assert_equal [ "draft", *TestRun::Phase::NAMES, "finished", "failed", "cancelled" ], TestRun.states.keys
    assert_nil TestRun.new(state: "finished").phase
  end

  test "a new worker repeats any phase without harm" do
    run = build_run(duration: "2s", warmup: 0, **TWO_OF_EACH)
    assert run.launch, run.errors.full_messages.to_sentence

    asked = queries_of_other_threads { TestRun::Phase::NAMES.each { |name| 2.times { perform run, name } } }
    run.reload
    assert_predicate run, :finished?, run.error
    assert_empty asked
    assert_equal 2, run.events.where(name: "ready").count, "JVMs were started twice"
    assert contents_of(run.archive).key?("logs/local/client_1/performance_client_1.log")
    assert_nothing_left_of run
  end

  test "a late job leaves an ended run as it is" do
    run = test_runs(:finished)
    run.update_columns state: "cancelled", cancelled_at: 1.minute.ago

    run.advance
    assert_predicate run.reload, :cancelled?
  end

  private
    # Performs the phase as a newly started worker does.
    def perform(run, name)
      TestRun.where(id: run.id).update_all state: name
      TestRun.find(run.id).phase.work
    end

    # @return the SQL that other threads ran during the block
    def queries_of_other_threads
      asked, main = Queue.new, Thread.current
      listening = ActiveSupport::Notifications.subscribe("sql.active_record") do |*, event|
        asked << event[:sql] if Thread.current != main
      end
      yield
      Array.new(asked.size) { asked.pop }
    ensure
      ActiveSupport::Notifications.unsubscribe listening
    end
end
