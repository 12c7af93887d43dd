require "test_helper"

class ConsoleTest < ActiveSupport::TestCase
  include MessageDatabaseHelper

  setup do
    @entry = message_database
    @inside = inside(@entry)
    @inside.exec "CALL fill(3, 300, 2, 20)"
    @inside.exec "UPDATE queue SET name = 'orders' WHERE name = 'queue1'"
    @inside.exec "INSERT INTO broker (name, heartbeat, tables) SELECT '10.0.0.1:8100', 7, version FROM schema_version"
    @inside.exec "UPDATE client SET broker_id = (SELECT id FROM broker) WHERE name = 'client1'"
    @console = @entry.console
  end

  test "the overview shows brokers and longest queues" do
    @inside.exec "UPDATE message SET sent_ms = sent_ms - 60000 WHERE id = (SELECT min(id) FROM message)"
    look = @console.overview

    assert_empty look.gaps
    assert_equal [ 5, 300, 0, 0 ], look[:figures].row.values_at("queues", "messages", "dead_letters", "leased")
    assert_equal [ [ "10.0.0.1:8100", 7, 1 ] ],
      look.rows(:brokers).map { |broker| broker.values_at("name", "heartbeat", "clients") }
    assert_equal [ [ "orders", 100 ], [ "queue2", 100 ], [ "queue3", 100 ], [ "client1", 0 ], [ "client2", 0 ] ],
      look.rows(:queues).map { |queue| queue.values_at("name", "length") }
    assert_operator look.rows(:queues).first["age_ms"], :>=, 60_000
    assert_operator look.rows(:queues).second["age_ms"], :<, 60_000
    assert_nil look.rows(:queues).last["age_ms"]
  end

  test "two reads make rates" do
    @console.overview
    shift_reads_back 10_000
    @inside.exec "UPDATE broker SET heartbeat = heartbeat + 10"
    @inside.exec "UPDATE queue_length SET messages = messages + 50 WHERE messages > 0"

    look = @console.overview
    assert_in_delta 1.0, look.rows(:brokers).first["beats"]["per_second"], 0.3
    assert_in_delta 5.0, look.rows(:queues).first["growth"]["per_second"], 1.5
    assert_in_delta 10.0, look[:figures].row["sent"]["seconds"], 3
  end

  test "two reads make a queue's rates in and out" do
    @console.overview
    shift_reads_back 10_000
    @inside.exec "UPDATE queue_length SET messages = messages - 20, gained = gained + 50 WHERE messages > 0"

    queue, *, idle = @console.overview.rows(:queues)
    assert_in_delta 5.0, queue["in"]["per_second"], 1.5
    assert_in_delta 7.0, queue["out"]["per_second"], 2
    assert_in_delta queue["growth"]["per_second"], queue["in"]["per_second"] - queue["out"]["per_second"], 0.001
    assert_equal [ queue["growth"]["seconds"] ] * 2, [ queue["in"]["seconds"], queue["out"]["seconds"] ]
    assert_equal [ 0.0, 0.0 ], [ idle["in"]["per_second"], idle["out"]["per_second"] ]
    assert_equal queue.slice("in", "out").keys, @console.queue(queue["id"])[:queues].row.slice("in", "out").compact.keys
  end

  test "a first read has no rates, and no rate is negative" do
    assert_equal [ nil, nil ], @console.overview.rows(:queues).first.values_at("in", "out")
    shift_reads_back 10_000
    @inside.exec "UPDATE queue_length SET messages = messages + 7 WHERE queue_id = #{queue_id("orders")}"
    @inside.exec "UPDATE queue_length SET gained = 0, messages = 0 WHERE queue_id = #{queue_id("queue2")}"

    queues = @console.overview.rows(:queues).index_by { |queue| queue["name"] }
    assert_equal [ 0.0, nil ], [ queues["orders"]["in"]["per_second"], queues["orders"]["out"] ], "after a recount"
    assert_nil queues["queue2"]["in"], "after a reset"
  end

  test "frequent reads get rates too" do
    rates = (0..3_000).step(20).map do |ms|
      earlier = Console::Earlier.new(@entry)
      look = { tables: [ { "ms" => ms } ], figures: [ { "last_id" => ms * 2 } ] }
      earlier.keep Console::Look.new(look.transform_values { |rows| Console::Answer.new(rows, nil) })
      earlier.rate("sent", ms * 2, ms)
    end
    assert_equal 2_000.0, rates.last["per_second"]
  end

  test "lists messages in dequeue order with any filter" do
    @inside.exec "UPDATE message SET receiver_id = (SELECT id FROM client WHERE name = 'client2') WHERE id % 7 = 0"
    @inside.exec "UPDATE message SET sender_id = (SELECT id FROM client WHERE name = 'client1') WHERE id % 5 = 0"
    @inside.exec "UPDATE message SET context = 77 WHERE id % 10 = 3"
    expected = ->(where) do
      @inside.exec("SELECT id FROM message WHERE #{where} ORDER BY queue_id, receiver_id, prio DESC, id")
        .column_values(0).map(&:to_i)
    end
    queue = @inside.exec("SELECT id FROM queue WHERE name = 'orders'").getvalue(0, 0).to_i

    { {} => "true", { queue: queue } => "queue_id = #{queue}", { receiver: "client2" } => "receiver_id <> 0",
      { queue: queue, anybody: true } => "queue_id = #{queue} AND receiver_id = 0", { context: 77 } => "context = 77",
      { queue: queue, sender: "client1", priority: 5 } => "queue_id = #{queue} AND sender_id <> 0 AND prio = 5",
      { sender: "client1" } => "sender_id <> 0", { sender: "nobody" } => "false" }.each do |filter, where|
      assert_equal expected[where], ids_on_all_pages(filter), filter
    end
  end

  test "a filter examines a limited number of messages" do
    questions = @console.questions
    stub_const questions.class, :EXAMINED, 40 do
      @inside.exec "UPDATE message SET sender_id = (SELECT id FROM client WHERE name = 'client1') WHERE id = 300"
      rows = @console.messages({ sender: "client1" })[:messages].rows
      assert_equal [ false ], rows.map { |row| row["matches"] }
      assert_equal [ 300 ], ids_on_all_pages({ sender: "client1" })
    end
  end

  test "a filter is never taken for SQL" do
    [ "' OR true --", "'; DROP TABLE message; --", "\\", "$1", "%{queue}" ].each do |text|
      assert_empty @console.messages({ sender: text, receiver: text })[:messages].rows
      assert_empty @console.queues({ prefix: text })[:queues].rows
      assert_empty @console.clients({ prefix: text })[:clients].rows
    end
    assert_equal "300", @inside.exec("SELECT count(*) FROM message").getvalue(0, 0)
  end

  test "content is shown in parts, all of it visible" do
    @inside.exec_params "UPDATE message SET content = decode($1, 'hex') WHERE id = 1",
      [ "68\u0000\u0001\nä\u202e".b.unpack1("H*") + "ff" + "61" * 5000 ]
    place = Console::Position.parse(Console::Position.of(@console.messages({})[:messages].rows
      .find { |row| row["id"] == 1 } || message_row(1)).to_param)
    row = @console.message(place)[:message].row
    content = Console::Content.new(row["hex"], from: 0, size: row["bytes"])

    assert_equal [ 5_011, 4_096, false ], [ content.size, content.upto, content.whole? ]
    assert content.text.start_with?("68␀␁␊\nä\\u{202e}\\xffaaa"), content.text.first(40).inspect
    assert_equal [ "0000", "36 38 00 01 0a c3 a4 e2", "68······" ], content.rows.first
    rest = @console.message(place, from: 4_096)[:message].row
    assert_equal 5_011, Console::Content.new(rest["hex"], from: 4_096, size: rest["bytes"]).upto
  end

  test "reads only, with time limits, and names gaps" do
    write = Console::Question.new("UPDATE queue SET deleted = true", "SELECT 1 AS one")
    assert_match "read-only transaction", @console.look(write: write)[:write].gap

    holder = own_connection_to(@inside.db)
    holder.exec "BEGIN; LOCK TABLE queue_length IN ACCESS EXCLUSIVE MODE"
    look = @console.overview
    assert_equal "Not read: another session holds a lock on the table.", look[:queues].gap
    assert_equal 1, look.rows(:brokers).size
    holder.exec "ROLLBACK"

    looking = Thread.new { @console.look(slow: Console::Question.new("SELECT pg_sleep(9) FROM message"))[:slow].gap }
    await do
      @inside.exec("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%pg_sleep(9)%'").any?
    end
    @inside.exec "SET lock_timeout = '100ms'"
    assert_equal 300, @inside.exec("DELETE FROM message").cmd_tuples, "a read of the console blocks no other"
    assert_match "it took more than 2 s", looking.value
    assert_match "too long for a page",
      @console.look(long: Console::Question.new("SELECT repeat('x', 5000000)"))[:long].gap
  ensure
    holder&.close
  end

  test "limits concurrent reads" do
    Console::AT_ONCE.times { Console::ROOM.acquire }
    assert_equal Console::BUSY, @console.look.gap
  ensure
    Console::ROOM.release Console::AT_ONCE
  end

  test "names unknown tables and an unavailable database" do
    @inside.exec "UPDATE schema_version SET version = 99"
    assert_equal "The tables are of version 99; the console reads version #{System::Mlmq::Questions::VERSION}.",
      @console.overview.gap
    assert_nil @console.overview.rows(:queues)
    @inside.exec "DROP TABLE schema_version"
    assert_equal "There are no tables of MLMQ in this database.", @console.overview.gap
    drop_message_databases
    assert_predicate @console.overview.gap, :present?
    assert_equal System::Mlmq::Questions::VERSION,
      MessageDatabaseHelper::TABLES.first.read[/INSERT INTO schema_version VALUES \((\d+)\)/, 1].to_i
  end

  test "an entry is validated and hides its password" do
    assert_not_includes @entry.shown_address, "x@"
    assert_not_includes @entry.reload.inspect + @entry.to_json, @entry.address
    assert_not_includes ApplicationRecord.connection.select_value("SELECT address FROM message_databases"), @inside.db
    assert @entry.update(shown_address: @entry.shown_address)

    { "" => "can't be blank", "mysql://u@h/x" => "must be a URL",
      "postgresql://u@127.0.0.1:1" => "must name the database",
      "postgresql://u:secret@127.0.0.1:1/x" => "cannot be used",
      @entry.address.sub(@inside.db, "postgres") => "no tables" }.each do |address, complaint|
      entry = MessageDatabase.new(name: "Other", address: address)
      assert_not entry.valid?, address
      assert_match complaint, entry.errors[:address].to_sentence
      assert_no_match "secret", entry.errors.full_messages.to_sentence
    end
  end

  private
    # Shifts the earlier reads into the past by this time.
    def shift_reads_back(milliseconds)
      key = "console of MessageDatabase #{@entry.id}"
      Rails.cache.write key, Rails.cache.read(key).map { |look| look.merge(ms: look[:ms] - milliseconds) }
    end

    def queue_id(name)
      @inside.exec("SELECT id FROM queue WHERE name = '#{name}'").getvalue(0, 0)
    end

    def ids_on_all_pages(filter)
      found, after = [], nil
      loop do
        look = @console.messages(filter, after: after)
        assert_empty look.gaps
        rows = look.rows(:messages)
        matching = rows.select { |row| row["matches"] }
        found.concat matching.first(50).map { |row| row["id"] }
        if matching.size > 50
          after = Console::Position.of(matching[49])
        elsif stopped = rows.find { |row| !row["matches"] }
          after = Console::Position.of(stopped)
        else
          return found
        end
      end
    end

    def message_row(id)
      @inside.exec("SELECT queue_id, receiver_id, prio, id FROM message WHERE id = #{id}").first
        .transform_values(&:to_i)
    end

    # EXAMINED is part of SQL texts that are built for each question.
    def stub_const(owner, name, value)
      old = owner.const_get(name)
      owner.send :remove_const, name
      owner.const_set name, value
      yield
    ensure
      owner.send :remove_const, name
      owner.const_set name, old
    end
end
