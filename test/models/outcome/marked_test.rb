require "test_helper"

class Outcome::MarkedTest < ActiveSupport::TestCase
  setup { @run = test_runs(:running) }

  test "marks deaths, commands and failures during the load" do
    event 30, "command", "rate 50/s to all: 4 of 4 JVMs answered"
    event 12, "died", "broker_1 was killed by signal 9\n10:00:00 INFO ready"
    event 12, "failed", "broker_1 was killed by signal 9"
    event 40, "failed", "Given up: errors > 50 % for 10 s"
    event 20, "warning", "Out of sight"
    event(-5, "died", "client_0 ended with exit code 1: no database")

    assert_equal [ [ 1, "death", "broker_1 was killed by signal 9" ],
      [ 2, "command", "rate 50/s to all: 4 of 4 JVMs answered" ], [ 3, "death", "Given up: errors > 50 % for 10 s" ] ],
      @run.outcome.marks.map { |mark| [ mark.number, mark.kind, mark.words ] }
    assert_in_delta 12, @run.outcome.marks.first.at
  end

  test "deaths take precedence over other marks" do
    20.times { |n| event n, "command", "rate #{n}" }
    event 50, "died", "broker_0 was killed by signal 9"

    assert_equal Outcome::Marked::MOST, @run.outcome.marks.size
    assert_equal "broker_0 was killed by signal 9", @run.outcome.marks.last.words
    assert_equal (1..Outcome::Marked::MOST).to_a, @run.outcome.marks.map(&:number)
  end

  test "a run without load has no marks" do
    @run.update! load_starts_at: nil
    assert_empty @run.outcome.marks
  end

  private
    def event(second, name, message)
      @run.events.create! name: name, message: message, phase: "running", created_at: @run.load_starts_at + second
    end
end
