-- Opens a session of the client of that name, and creates the client if it is missing. The session is 0 if another
-- broker has one. That broker is told to end it if the client presents its token, and the client has to ask again.
-- Without the token that broker is asked whether it knows the session, as an unconfirmed registration leaves one
-- behind.
CREATE OR REPLACE FUNCTION open_session(client_name text, to_broker int, presented bigint, fresh bigint, channel text,
    OUT client int, OUT queue int, OUT number bigint, OUT new_token bigint)
LANGUAGE plpgsql AS $$
DECLARE
    holder int;
    current bigint;
    held bigint;
BEGIN
    LOOP
        SELECT c.id, c.queue_id, c.broker_id, c.session, c.token INTO client, queue, holder, current, held
            FROM client c WHERE c.name = client_name FOR UPDATE;
        EXIT WHEN FOUND;
        client := nextval(pg_get_serial_sequence('client', 'id'));
        INSERT INTO queue (name, owner_id) VALUES (client_name, client) RETURNING id INTO queue;
        INSERT INTO client (id, name, queue_id) OVERRIDING SYSTEM VALUE VALUES (client, client_name, queue)
            ON CONFLICT (name) DO NOTHING;
        IF FOUND THEN
            INSERT INTO queue_length VALUES (queue, 0);
            EXIT;
        END IF;
        DELETE FROM queue q WHERE q.id = queue;
    END LOOP;
    new_token := CASE WHEN presented <> 0 AND presented = held THEN held ELSE fresh END;
    IF holder IS NULL OR holder = to_broker THEN
        number := nextval('session_number');
        UPDATE client c SET broker_id = to_broker, session = number, token = new_token, seen_at = now()
            WHERE c.id = client;
    ELSIF new_token = held THEN
        number := 0;
        PERFORM pg_notify(channel, concat_ws(' ', 'r', to_broker, client, current, holder));
    ELSE
        number := 0;
        new_token := 0;
        PERFORM pg_notify(channel, concat_ws(' ', 'q', to_broker, client, current, holder));
    END IF;
END
$$;

-- Returns the queue of the source's dead letters: the source if it is one itself, null if the source is gone.
CREATE OR REPLACE FUNCTION dead_letter_queue(source int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    origin queue;
    dead_name text;
    found_id int;
BEGIN
    SELECT * INTO origin FROM queue WHERE id = source AND NOT deleted;
    IF origin.name IS NULL OR origin.dead THEN
        RETURN origin.id;
    END IF;
    -- All queues of a client have the same dead letters.
    dead_name := COALESCE((SELECT c.name FROM client c WHERE c.id = origin.owner_id), origin.name) || '.dead';
    SELECT id INTO found_id FROM queue q WHERE q.owner_id = origin.owner_id AND q.name = dead_name
        AND q.dead AND q.addressed >= origin.addressed;
    IF FOUND THEN
        RETURN found_id;
    END IF;
    INSERT INTO queue (name, owner_id, addressed, dead)
        VALUES (dead_name, origin.owner_id, origin.addressed, true)
        ON CONFLICT (owner_id, name) DO UPDATE SET addressed = queue.addressed OR excluded.addressed, dead = true
        RETURNING id INTO found_id;
    INSERT INTO queue_length VALUES (found_id, 0) ON CONFLICT DO NOTHING;
    RETURN found_id;
END
$$;

-- The key of the lock of all messages. SharedLocks in mlmq/ says who takes it, in which mode, and for how long.
CREATE OR REPLACE FUNCTION messages_lock() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 1835822449::bigint';

-- Everybody who stores messages takes this lock before the look at the queue: nobody deletes the queue as an empty
-- one, or a client as one without messages, meanwhile. It gives the transaction a number, which stored_before refers
-- to.
CREATE OR REPLACE FUNCTION share_messages() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(messages_lock());
    RETURN pg_current_xact_id()::text::bigint;
END
$$;

-- Everybody who must know that no message is about to be stored takes this lock. All who want to store one wait behind
-- it, so it waits only as long as storing usually takes. Then it fails with lock_not_available.
CREATE OR REPLACE FUNCTION hold_messages() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    usual text := current_setting('lock_timeout');
BEGIN
    PERFORM set_config('lock_timeout', '100ms', true);
    PERFORM pg_advisory_xact_lock(messages_lock());
    PERFORM set_config('lock_timeout', usual, true);
END
$$;

-- Makes a queue invisible; its messages are removed later. Returns 'gone', 'personal' or 'not empty' if it does not,
-- and the owner of the queue. A queue that is not empty at the first look stops nobody.
CREATE OR REPLACE FUNCTION delete_queue(wanted int, only_if_empty boolean, OUT obstacle text, OUT owner int)
LANGUAGE plpgsql AS $$
BEGIN
    FOR look IN 1..2 LOOP
        SELECT q.owner_id, CASE WHEN q.owner_id <> 0 THEN 'personal'
            WHEN only_if_empty AND (EXISTS (SELECT FROM message m WHERE m.queue_id = wanted)
                OR EXISTS (SELECT FROM lease l WHERE l.queue_id = wanted)) THEN 'not empty' END
        INTO owner, obstacle FROM queue q WHERE q.id = wanted AND NOT q.deleted;
        IF NOT FOUND THEN obstacle := 'gone'; END IF;
        EXIT WHEN obstacle IS NOT NULL OR NOT only_if_empty;
        IF look = 1 THEN PERFORM hold_messages(); END IF;
    END LOOP;
    IF obstacle IS NULL THEN
        UPDATE queue q SET deleted = true, name = NULL WHERE q.id = wanted AND NOT q.deleted;
        IF NOT FOUND THEN obstacle := 'gone'; END IF;
    END IF;
END
$$;

-- Moves messages with ids up to that one to the target, or removes them if that is 0, and returns their receivers and
-- contexts. Rows that others have locked stay, and messages for others than the owner of the target. Dead letters are
-- counted as never delivered, and have no end any more; ends of others follow them. Only then, as others may store more
-- meanwhile, the target learns of receivers, and the sequence tells brokers that old ids have returned.
CREATE OR REPLACE FUNCTION move_messages(source int, target int, up_to bigint, most int)
RETURNS TABLE (receiver_id int, context bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM share_messages();
    RETURN QUERY WITH gone AS (
        DELETE FROM message WHERE ctid = ANY (ARRAY(SELECT m.ctid FROM message m WHERE m.queue_id = source
            AND m.id <= up_to AND (target = 0 OR EXISTS (SELECT FROM queue q WHERE q.id = target AND NOT q.deleted
                AND (q.owner_id = 0 OR m.receiver_id IN (0, q.owner_id))))
            ORDER BY m.receiver_id, m.prio DESC, m.id LIMIT most FOR UPDATE SKIP LOCKED))
        RETURNING *
    ), placed AS (
        INSERT INTO message (id, context, sent_ms, queue_id, receiver_id, sender_id, prio, deliveries, content,
            properties)
        SELECT g.id, g.context, g.sent_ms, target, CASE WHEN t.owner_id = 0 THEN g.receiver_id ELSE 0 END, g.sender_id,
            g.prio, CASE WHEN s.dead THEN 0 ELSE g.deliveries END, g.content, g.properties
        FROM gone g JOIN queue s ON s.id = source JOIN queue t ON t.id = target
        RETURNING id, receiver_id
    ), endless AS (
        DELETE FROM expiry x USING gone g WHERE x.message_id = g.id AND EXISTS (SELECT FROM queue s
            WHERE s.id = source AND s.dead)
    ), following AS (
        UPDATE expiry x SET queue_id = target, receiver_id = p.receiver_id FROM placed p WHERE x.message_id = p.id
            AND NOT EXISTS (SELECT FROM queue s WHERE s.id = source AND s.dead)
    )
    SELECT g.receiver_id, g.context FROM gone g;
    IF target <> 0 THEN
        UPDATE queue q SET addressed = true WHERE q.id = target AND q.owner_id = 0 AND NOT q.addressed
            AND EXISTS (SELECT FROM message m WHERE m.queue_id = target AND m.receiver_id > 0);
        PERFORM nextval('message_return');
    END IF;
END
$$;

-- Ends a transaction in which a broker took a queue with messages for a receiver for a plain one.
CREATE OR REPLACE FUNCTION addressed(queue int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'queue % has messages with a receiver', queue USING ERRCODE = 'ML001', DETAIL = queue;
END
$$;

-- Adds to the lengths of queues what came into them and went out of them, told by a transaction that has stored and
-- removed these messages itself. See Lengths in mlmq/.
CREATE OR REPLACE FUNCTION tell_length(queue int, difference bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    state recount;
BEGIN
    SELECT * INTO state FROM recount FOR UPDATE;
    IF state.announced_at > now() - interval '10 s' THEN
        RAISE EXCEPTION 'the messages of all queues begin to be counted at this moment'
            USING ERRCODE = 'lock_not_available';
    END IF;
    UPDATE queue_length l SET messages = l.messages + difference, gained = l.gained + greatest(difference, 0)
        WHERE l.queue_id = queue;
    IF state.begun IS NOT NULL AND NOT pg_visible_in_snapshot(pg_current_xact_id(), state.begun) THEN
        INSERT INTO recount_change VALUES (queue, difference)
            ON CONFLICT (queue_id) DO UPDATE SET messages = recount_change.messages + excluded.messages;
    END IF;
END
$$;
