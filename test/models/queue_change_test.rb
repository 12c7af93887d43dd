require "test_helper"

class QueueChangeTest < ActiveSupport::TestCase
  include MessageDatabaseHelper

  setup do
    @entry = message_database
    @inside = inside(@entry)
    @inside.exec "CALL fill(2, 5000, 1, 10)"
    @queue = ask("SELECT id FROM queue WHERE name = 'queue1'")
  end

  test "empties a queue but for locked and newer messages" do
    broker = own_connection_to(@inside.db)
    broker.exec "BEGIN; SELECT FROM message WHERE queue_id = #{@queue} ORDER BY id LIMIT 3 FOR UPDATE"
    change = made("emptying")
    @inside.exec "INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) VALUES (#{@queue}, 0, 10, 0, '')"
    change.perform

    assert_equal [ "completed", 2_500, 2_497 ], change.values_at(:state, :expected, :done)
    broker.exec "ROLLBACK"
    assert_equal 4, ask("SELECT count(*) FROM message WHERE queue_id = #{@queue}")
    assert_equal [ 3, 2_500 ], [ length_of(@queue), gained_by(@queue) ], "the broker adds the message sent since"
    assert_equal 2_500, ask("SELECT count(*) FROM message WHERE queue_id <> #{@queue}")
  ensure
    broker&.close
  end

  test "deletions during a recount are noted for it" do
    @inside.exec "UPDATE recount SET begun = pg_current_snapshot()"
    made("emptying").perform
    assert_equal(-2_500, ask("SELECT messages FROM recount_change WHERE queue_id = #{@queue}"))
  end

  test "returns dead letters to their queue" do
    dead = ask("SELECT dead_letter_queue(#{@queue})")
    @inside.exec "UPDATE message SET queue_id = #{dead}, deliveries = 5, receiver_id = (id = 1)::int " \
      "WHERE queue_id = #{@queue}"
    @inside.exec "UPDATE queue_length SET messages = 2500 WHERE queue_id = #{dead}"
    @inside.exec "UPDATE queue_length SET messages = 0 WHERE queue_id = #{@queue}"
    returns = ask("SELECT last_value FROM message_return")

    change = made("return", dead)
    change.perform

    assert_equal [ "completed", 2_500, "queue1.dead" ], change.values_at(:state, :done, :queue_name)
    assert_equal 2_500, ask("SELECT count(*) FROM message WHERE queue_id = #{@queue} AND deliveries = 0")
    assert_equal [ 0, 2_500 ], [ length_of(dead), length_of(@queue) ]
    assert_equal [ 0, 5_000 ], [ gained_by(dead), gained_by(@queue) ], "5,000: filled and then returned"
    assert_operator ask("SELECT last_value FROM message_return"), :>, returns
    assert_equal 1, ask("SELECT addressed::int FROM queue WHERE id = #{@queue}")

    @inside.exec "UPDATE queue SET deleted = true, name = NULL WHERE id = #{@queue}"
    assert_match "is gone: create it again", refusal("return", dead)
  end

  test "deletes a queue unless personal or not empty" do
    personal = ask("SELECT queue_id FROM client LIMIT 1")
    assert_match "stays with its client", refusal("deletion", personal)
    assert_match "is gone", refusal("emptying", 999_999)
    assert_match "does not hold dead letters", refusal("return", @queue)

    cautious = made("deletion", only_if_empty: true)
    cautious.perform
    assert_equal [ "failed", "The queue is not empty" ], cautious.values_at(:state, :error)
    made("deletion").perform
    assert_equal 1, ask("SELECT count(*) FROM queue WHERE id = #{@queue} AND deleted AND name IS NULL")
  end

  test "waits for the brokers' lock, and can be stopped" do
    counter = own_connection_to(@inside.db)
    counter.exec "BEGIN; SELECT hold_messages()"
    change = made("emptying")
    worker = Thread.new { sleep 0.7; counter.exec "ROLLBACK" }
    change.perform
    worker.join
    assert_equal [ "completed", 2_500 ], change.values_at(:state, :done)

    other = made("emptying", ask("SELECT id FROM queue WHERE name = 'queue2'"))
    other.stop
    other.perform
    assert_equal [ "stopped", 0 ], other.values_at(:state, :done)
    made("emptying").tap { @entry.destroy! }.perform
    assert_empty QueueChange.all
  ensure
    counter&.close
  end

  test "waits while a recount is about to begin" do
    @inside.exec "UPDATE recount SET announced_at = now()"
    worker = Thread.new { sleep 0.7; @inside.exec "UPDATE recount SET announced_at = NULL" }
    change = made("emptying")
    change.perform
    worker.join
    assert_equal [ "completed", 2_500 ], change.values_at(:state, :done)
    assert_equal 0, length_of(@queue)
  end

  private
    def made(kind, queue = @queue, **more)
      @entry.queue_changes.create!(kind: kind, queue_id: queue, who: "ada@example.org", **more)
    end

    def refusal(kind, queue)
      @entry.queue_changes.build(kind: kind, queue_id: queue).tap(&:valid?).errors.full_messages.to_sentence
    end

    def length_of(queue)
      ask "SELECT messages FROM queue_length WHERE queue_id = #{queue}"
    end

    def gained_by(queue)
      ask "SELECT gained FROM queue_length WHERE queue_id = #{queue}"
    end

    def ask(sql)
      @inside.exec(sql).getvalue(0, 0).to_i
    end
end
