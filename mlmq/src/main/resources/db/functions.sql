-- Opens a session of the client of that name, made where it is missing. The session is 0 where another broker has one; that
-- one is told to end it where the client presents its token, and the client has to ask again.
CREATE FUNCTION open_session(client_name text, to_broker int, presented bigint, fresh bigint, channel text,
    OUT client int, OUT queue int, OUT number bigint, OUT new_token bigint)
LANGUAGE plpgsql AS $$
DECLARE
    holder int;
    current bigint;
    held bigint;
BEGIN
    LOOP
        SELECT c.id, c.queue_id, c.broker_id, c.session, c.token INTO client, queue, holder, current, held FROM client c WHERE c.name = client_name FOR UPDATE;
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
        PERFORM pg_notify(channel, 'r ' || to_broker || ' ' || client || ' ' || current);
    ELSE
        number := 0;
        new_token := 0;
    END IF;
END
$$;

-- The queue that takes what could not be delivered from the source: itself where it is one already, null where it is gone.
CREATE FUNCTION dead_letter_queue(source int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    origin queue;
    found_id int;
BEGIN
    SELECT * INTO origin FROM queue WHERE id = source AND NOT deleted;
    IF origin.name IS NULL OR origin.name LIKE '%.dead' THEN
        RETURN origin.id;
    END IF;
    INSERT INTO queue (name, owner_id, addressed, dead)
        VALUES (origin.name || '.dead', origin.owner_id, origin.addressed, true)
        ON CONFLICT (owner_id, name) DO UPDATE SET addressed = queue.addressed OR excluded.addressed, dead = true
        RETURNING id INTO found_id;
    INSERT INTO queue_length VALUES (found_id, 0) ON CONFLICT DO NOTHING;
    RETURN found_id;
END
$$;
