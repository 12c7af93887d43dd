require "test_helper"

# Uses the console while a real broker runs.
class TestRun::ConsoleTest < ActiveSupport::TestCase
  include RunsHelper

  PRODUCERS = [ { scenario: "PublicQueueProducer", jvms: 1, clients: 3, settings: { rate: "200/s" } } ]

  test "emptying a queue during a run keeps lengths true" do
    run = build_run(clients: PRODUCERS, keep_database: true, duration: "5min")
    look = queue = emptied = nil
    while_running run do
      running = TestRun.find(run.id)
      await(within: 60) do
        look = running.console.overview
        queue = look.rows(:queues).to_a.first
        queue&.fetch("length").to_i > 50 && queue.dig("in", "per_second").to_f.positive? && look[:figures].row["sent"]
      end
      emptied = running.queue_changes.create!(kind: "emptying", queue_id: queue["id"], who: "ada@example.org")
      emptied.perform
      Command.create!(test_run: running, line: "shutdown", target: "clients").deliver
    end

    assert_predicate run, :finished?, run.error
    assert_equal [ 1, 3 ], [ look.rows(:brokers).size, look.rows(:brokers).first["clients"] ]
    assert_match(/\AMLMQ /, look.rows(:brokers).first["version"])
    assert_operator look.rows(:brokers).first["beats"]["per_second"], :>, 0
    assert_operator look[:figures].row["sent"]["per_second"], :>, 10
    assert_equal 0.0, queue["out"]["per_second"], "no client dequeues"
    assert_equal "completed", emptied.state
    assert_operator emptied.done, :>, 50
    assert_match(/ada@example.org: emptied .*, #{emptied.done} messages are gone/,
      run.events.find_by!(name: "queue_changed").message)

    assert_predicate run.run_database, :lives?
    counted = Console::Question.new("SELECT l.queue_id, l.messages, l.gained, count(m.id) AS counted " \
      "FROM queue_length l LEFT JOIN message m ON m.queue_id = l.queue_id GROUP BY l.queue_id")
    rows = run.console.look(counted: counted)[:counted].rows
    assert_equal rows.pluck("counted"), rows.pluck("messages")
    assert_operator rows.sum { |row| row["counted"] }, :>, 0
    assert_equal rows.sum { |row| row["counted"] } + emptied.done, rows.sum { |row| row["gained"] }
    assert_empty run.console.overview.rows(:brokers), "the broker deregistered"
  ensure
    run.run_database.drop if run.id
  end
end
