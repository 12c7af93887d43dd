-- Opens a session of the client of that name, made where it is missing. The session is 0 where another broker has one.
CREATE FUNCTION open_session(client_name text, to_broker int, OUT client int, OUT queue int, OUT number bigint)
LANGUAGE plpgsql AS $$
DECLARE
    holder int;
BEGIN
    LOOP
        SELECT c.id, c.queue_id, c.broker_id INTO client, queue, holder FROM client c WHERE c.name = client_name FOR UPDATE;
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
    IF holder IS NULL OR holder = to_broker THEN
        number := nextval('session_number');
        UPDATE client c SET broker_id = to_broker, session = number WHERE c.id = client;
    ELSE
        number := 0;
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
    INSERT INTO queue (name, owner_id, addressed) VALUES (origin.name || '.dead', origin.owner_id, origin.addressed)
        ON CONFLICT (owner_id, name) DO UPDATE SET addressed = queue.addressed OR excluded.addressed
        RETURNING id INTO found_id;
    INSERT INTO queue_length VALUES (found_id, 0) ON CONFLICT DO NOTHING;
    RETURN found_id;
END
$$;
