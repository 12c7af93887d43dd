-- Stored procedure of "dbscript -fill queues,messages,clients": a data set to start from.
CREATE OR REPLACE PROCEDURE fill(queues int, messages int, clients int, content_bytes int) LANGUAGE plpgsql AS $$
DECLARE
    first_queue int;
BEGIN
    WITH made AS (
        INSERT INTO queue (name) SELECT 'queue' || n FROM generate_series(1, queues) n
        ON CONFLICT (owner_id, name) DO NOTHING RETURNING id
    ) INSERT INTO queue_length SELECT id, 0 FROM made;

    -- A client's queue belongs to it, so the client's id comes first.
    CREATE TEMPORARY TABLE new_client ON COMMIT DROP AS
        SELECT nextval(pg_get_serial_sequence('client', 'id'))::int AS id, 'client' || n AS name
        FROM generate_series(1, clients) n
        WHERE NOT EXISTS (SELECT FROM client c WHERE c.name = 'client' || n);
    WITH made AS (
        INSERT INTO queue (name, owner_id) SELECT name, id FROM new_client RETURNING id, owner_id, name
    ), counted AS (
        INSERT INTO queue_length SELECT id, 0 FROM made
    ) INSERT INTO client (id, name, queue_id) OVERRIDING SYSTEM VALUE SELECT owner_id, name, id FROM made;

    IF messages > 0 THEN
        CREATE TEMPORARY TABLE target ON COMMIT DROP AS
            SELECT row_number() OVER (ORDER BY q.id) - 1 AS n, q.id FROM queue q
            WHERE q.owner_id = 0 AND q.name IN (SELECT 'queue' || n FROM generate_series(1, queues) n);
        CREATE UNIQUE INDEX ON target (n);
        ANALYZE target;
        WITH stored AS (
            INSERT INTO message (queue_id, sender_id, prio, sent_ms, content)
            SELECT t.id, 0, 1 + m % 10, (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
                   convert_to(rpad('message ' || m, content_bytes, '.'), 'UTF8')
            FROM generate_series(0, messages - 1) m JOIN target t ON t.n = m % queues
            RETURNING queue_id
        ) UPDATE queue_length l SET messages = l.messages + s.n, gained = l.gained + s.n
          FROM (SELECT queue_id, count(*) AS n FROM stored GROUP BY queue_id) s WHERE l.queue_id = s.queue_id;
    END IF;
END
$$;
