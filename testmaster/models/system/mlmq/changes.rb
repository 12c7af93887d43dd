# Changes MLMQ's tables for the console as a broker does: by the same functions in the database, which take the locks
# that brokers share (see functions.sql and SharedLocks in mlmq/), and it skips locked rows. Each change is one
# transaction of a limited size.
class System::Mlmq::Changes
  STEP = 1_000 # messages

  # Deletes some available messages of a queue, up to an id.
  def emptying(queue:, up_to:, **)
    step <<~SQL, queue: queue, up_to: up_to
      SELECT count(*) INTO n FROM move_messages(wanted, 0, up_to, #{STEP});
      IF n > 0 THEN PERFORM tell_length(wanted, -n); END IF;
    SQL
  end

  # Requeues some dead letters to the queue in the name of theirs, with a new delivery count.
  def return(queue:, up_to:, **)
    step <<~SQL, queue: queue, up_to: up_to
      PERFORM share_messages();
      SELECT s.id INTO origin FROM queue d JOIN queue s ON s.owner_id = d.owner_id AND s.name || '.dead' = d.name
      WHERE d.id = wanted AND d.dead AND NOT d.deleted AND NOT s.deleted;
      IF origin IS NULL THEN RAISE EXCEPTION 'the queue that the dead letters came from is gone'; END IF;
      SELECT count(*) INTO n FROM move_messages(wanted, origin, up_to, #{STEP});
      IF n > 0 THEN PERFORM tell_length(wanted, -n), tell_length(origin, n); END IF;
    SQL
  end

  # The queue is invisible at once; brokers delete its messages within seconds. A queue that must be empty is deleted
  # only if no transaction is storing a message; the wait for it is short.
  def deletion(queue:, only_if_empty:, **)
    step <<~SQL, queue: queue, up_to: 0, only_if_empty: only_if_empty
      SELECT obstacle INTO reason FROM delete_queue(wanted, current_setting('console.only_if_empty')::boolean);
      IF reason = 'gone' THEN RAISE EXCEPTION 'the queue is gone already'; END IF;
      IF reason = 'personal' THEN RAISE EXCEPTION 'a personal queue stays with its client'; END IF;
      IF reason = 'not empty' THEN RAISE EXCEPTION 'the queue is not empty'; END IF;
      n := 1;
    SQL
  end

  DONE = "SELECT current_setting('console.done')::bigint AS done"

  private
    # A block accepts no parameters, so its values are settings of the transaction.
    def step(block, **values)
      settings = values.keys.map { |name| "set_config('console.#{name}', %{#{name}}, true)" }
      Console::Question.new "SELECT #{settings.join(", ")}", <<~SQL, DONE, **values
        DO $$
        DECLARE
          wanted int := current_setting('console.queue');
          up_to bigint := current_setting('console.up_to');
          n bigint := 0; origin int; reason text;
        BEGIN
          #{block}
          PERFORM set_config('console.done', n::text, true);
        END $$
      SQL
    end
end
