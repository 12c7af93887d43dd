# What the console changes in MLMQ's tables, as a broker does it: with its lock against whoever deletes or counts
# queues, past rows that others hold, and with the lengths of queues told under the lock of whoever tells them. See
# QueueOperations, LeaseOperations, Housekeeping and Recount in mlmq/. Each is one transaction of a bounded size.
class System::Mlmq::Changes
  LOCK = 0x6d6c6d71 # HotSql.LOCK
  LENGTHS_LOCK = LOCK + 1
  STEP = 1_000 # messages
  SOME = <<~SQL
    DELETE FROM message WHERE ctid = ANY (ARRAY(SELECT m.ctid FROM message m WHERE m.queue_id = wanted AND m.id <= up_to
    ORDER BY m.receiver_id, m.prio DESC, m.id LIMIT #{STEP} FOR UPDATE SKIP LOCKED))
  SQL

  # Some messages of a queue that are there and not leased, up to an id
  def emptying(queue:, up_to:, **)
    step <<~SQL, queue: queue, up_to: up_to
      PERFORM pg_advisory_xact_lock_shared(#{LOCK});
      #{SOME};
      GET DIAGNOSTICS n = ROW_COUNT;
      IF n > 0 THEN #{tell("wanted, -n")} END IF;
    SQL
  end

  # Some dead letters to the queue that the name of theirs says, to be delivered as often as new ones. The sequence
  # tells brokers that old ids have come back.
  def return(queue:, up_to:, **)
    step <<~SQL, queue: queue, up_to: up_to
      PERFORM pg_advisory_xact_lock_shared(#{LOCK});
      SELECT s.id INTO origin FROM queue d JOIN queue s ON s.owner_id = d.owner_id AND s.name || '.dead' = d.name
      WHERE d.id = wanted AND d.dead AND NOT d.deleted AND NOT s.deleted;
      IF origin IS NULL THEN RAISE EXCEPTION 'the queue that the dead letters came from is gone'; END IF;
      WITH back AS (#{SOME} RETURNING *),
      placed AS (INSERT INTO message (id, context, sent_ms, queue_id, receiver_id, sender_id, prio, deliveries, content)
      SELECT id, context, sent_ms, origin, receiver_id, sender_id, prio, 0, content FROM back RETURNING receiver_id)
      SELECT count(*), coalesce(bool_or(receiver_id <> 0), false) INTO n, named FROM placed;
      IF n > 0 THEN
        PERFORM nextval('message_return');
        IF named THEN UPDATE queue SET addressed = true WHERE id = origin AND owner_id = 0 AND NOT addressed; END IF;
        #{tell("wanted, -n")} #{tell("origin, n")}
      END IF;
    SQL
  end

  # The queue is invisible at once; brokers clear its messages within seconds. Like a broker that deletes one, it waits
  # until nobody is about to store a message, and not for long.
  def deletion(queue:, only_if_empty:, **)
    step <<~SQL, queue: queue, up_to: 0, only_if_empty: only_if_empty
      PERFORM pg_advisory_xact_lock(#{LOCK});
      SELECT owner_id, EXISTS (SELECT FROM message m WHERE m.queue_id = q.id)
      OR EXISTS (SELECT FROM lease l WHERE l.queue_id = q.id) INTO owner, named
      FROM queue q WHERE id = wanted AND NOT deleted FOR UPDATE;
      IF NOT FOUND THEN RAISE EXCEPTION 'the queue is gone already'; END IF;
      IF owner <> 0 THEN RAISE EXCEPTION 'a personal queue stays with its client'; END IF;
      IF named AND current_setting('console.only_if_empty') = 'true' THEN
        RAISE EXCEPTION 'the queue is not empty'; END IF;
      UPDATE queue SET deleted = true, name = NULL WHERE id = wanted;
      n := 1;
    SQL
  end

  DONE = "SELECT current_setting('console.done')::bigint AS done"

  private
    # A block takes no parameters, so its values are settings of the transaction.
    def step(block, **values)
      settings = values.keys.map { |name| "set_config('console.#{name}', %{#{name}}, true)" }
      Console::Question.new "SELECT #{settings.join(", ")}", <<~SQL, DONE, **values
        DO $$
        DECLARE
          wanted int := current_setting('console.queue');
          up_to bigint := current_setting('console.up_to');
          n bigint := 0; origin int; owner int; named boolean;
        BEGIN
          #{block}
          PERFORM set_config('console.done', n::text, true);
        END $$
      SQL
    end

    # Queues are counted as of a moment before which or after which this transaction is: see Recount.
    def tell(values)
      <<~SQL
        PERFORM pg_advisory_xact_lock(#{LENGTHS_LOCK});
        UPDATE queue_length l SET messages = l.messages + told.n, gained = l.gained + greatest(told.n, 0)
        FROM (SELECT #{values}) AS told(queue_id, n) WHERE l.queue_id = told.queue_id;
        INSERT INTO recount_change SELECT #{values} FROM recount
        WHERE begun_xid <> 0 AND pg_current_xact_id()::text::bigint > begun_xid
        ON CONFLICT (queue_id) DO UPDATE SET messages = recount_change.messages + excluded.messages;
      SQL
    end
end
