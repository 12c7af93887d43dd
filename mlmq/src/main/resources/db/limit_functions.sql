CREATE OR REPLACE TRIGGER access_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON queue_limit
    EXECUTE FUNCTION access_changed();

-- Locks queues that have a limit of length, in the order of their ids, until the transaction ends: whoever stores
-- messages there waits. It takes room for all that shall come into a queue, or none of it, and returns whether it did,
-- and the room that there is. A queue that seems too full is counted, which takes at most a twentieth of the time, and
-- not twice in a transaction. A short one is always counted before, and a longer one that drops messages, as each take
-- makes room, and none says so. Not known to be full is one of more than 10,000 messages that was never counted; a broker counts it
-- soon.
CREATE OR REPLACE FUNCTION take_room(queues int[], more bigint[], more_bytes bigint[], expected bigint[],
    expected_bytes bigint[])
RETURNS TABLE (queue int, taken boolean, room bigint, room_bytes bigint, limit_messages bigint, limit_bytes bigint,
    drops boolean)
LANGUAGE plpgsql AS $$
DECLARE
    wanted record;
    held queue_fill;
    at_most queue_limit;
    most bigint;
    most_bytes bigint;
    begun timestamptz;
    n bigint;
    size bigint;
    whole constant bigint := 10000;
    short constant bigint := 1000;
    endless constant bigint := 4611686018427387904;
BEGIN
    FOR wanted IN SELECT * FROM unnest(queues, more, more_bytes, expected, expected_bytes)
        AS u (id, n, bytes, later, later_bytes) ORDER BY id LOOP
        SELECT * INTO held FROM queue_fill f WHERE f.queue_id = wanted.id FOR UPDATE;
        CONTINUE WHEN NOT FOUND;
        SELECT * INTO at_most FROM queue_limit l WHERE l.queue_id = wanted.id;
        queue := wanted.id;
        most := COALESCE(at_most.messages, endless);
        most_bytes := COALESCE(at_most.bytes, endless);
        limit_messages := at_most.messages;
        limit_bytes := at_most.bytes;
        drops := at_most.drops;
        room := most - held.messages_before - held.messages;
        room_bytes := most_bytes - held.bytes_before - held.bytes;
        begun := clock_timestamp();
        IF (wanted.n + wanted.later <= room AND wanted.bytes + wanted.later_bytes <= room_bytes) IS NOT TRUE
            AND held.taken_by IS DISTINCT FROM pg_current_xact_id() AND (begun >= held.rests_until
            OR at_most.drops AND held.messages_before + held.messages <= whole OR most <= short) THEN
            SELECT count(*), COALESCE(sum(c.bytes), 0) INTO n, size FROM (SELECT octet_length(m.content)
                + COALESCE(octet_length(m.properties), 0) AS bytes FROM (
                    SELECT content, properties FROM message WHERE queue_id = wanted.id
                    UNION ALL SELECT content, properties FROM lease WHERE queue_id = wanted.id) m
                LIMIT least(most, whole) + 1) c;
            IF n <= whole OR n > most OR size > most_bytes THEN
                held.messages_before := n - held.messages;
                held.bytes_before := size - held.bytes;
                room := most - n;
                room_bytes := most_bytes - size;
            END IF;
            held.rests_until := clock_timestamp() + 20 * (clock_timestamp() - begun);
        END IF;
        taken := COALESCE(wanted.n <= room AND wanted.bytes <= room_bytes, true);
        room := COALESCE(room, endless);
        room_bytes := COALESCE(room_bytes, endless);
        UPDATE queue_fill f SET messages = f.messages + CASE WHEN taken THEN wanted.n ELSE 0 END,
            bytes = f.bytes + CASE WHEN taken THEN wanted.bytes ELSE 0 END, messages_before = held.messages_before,
            bytes_before = held.bytes_before, rests_until = held.rests_until, taken_by = pg_current_xact_id()
            WHERE f.queue_id = wanted.id;
        RETURN NEXT;
    END LOOP;
END
$$;

-- Removes messages of up to that priority that can be taken, the oldest of the lowest priority first, until so many and
-- so many bytes are gone, or there is none that nobody else has locked.
CREATE OR REPLACE FUNCTION drop_oldest(wanted int, most bigint, most_bytes bigint, highest int,
    OUT messages bigint, OUT bytes bigint)
LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
    size bigint;
BEGIN
    messages := 0;
    bytes := 0;
    FOR lowest IN 1..highest LOOP
        WHILE messages < most OR bytes < most_bytes LOOP
            WITH RECURSIVE place AS (
                (SELECT m.receiver_id FROM message m WHERE m.queue_id = wanted ORDER BY m.receiver_id LIMIT 1)
                UNION ALL
                SELECT (SELECT m.receiver_id FROM message m WHERE m.queue_id = wanted AND m.receiver_id > p.receiver_id
                    ORDER BY m.receiver_id LIMIT 1) FROM place p WHERE p.receiver_id IS NOT NULL
            ), first AS MATERIALIZED (
                SELECT f.* FROM place p, LATERAL (SELECT m.ctid AS at, m.id, octet_length(m.content)
                    + COALESCE(octet_length(m.properties), 0) AS size FROM message m WHERE m.queue_id = wanted
                    AND m.receiver_id = p.receiver_id AND m.prio = lowest
                    ORDER BY m.id LIMIT least(100, greatest(most - messages, 10)) FOR UPDATE SKIP LOCKED) f
            ), summed AS (
                SELECT f.*, row_number() OVER (ORDER BY f.id) - 1 AS earlier, sum(f.size) OVER (ORDER BY f.id) - f.size
                    AS earlier_bytes FROM (SELECT * FROM first ORDER BY id LIMIT 100) f
            ), gone AS (
                DELETE FROM message m WHERE m.ctid = ANY (ARRAY(SELECT s.at FROM summed s
                    WHERE messages + s.earlier < most OR bytes + s.earlier_bytes < most_bytes))
                RETURNING octet_length(m.content) + COALESCE(octet_length(m.properties), 0) AS size
            ) SELECT count(*), COALESCE(sum(g.size), 0) INTO n, size FROM gone g;
            EXIT WHEN n = 0;
            messages := messages + n;
            bytes := bytes + size;
        END LOOP;
    END LOOP;
    UPDATE queue_fill f SET messages_before = f.messages_before - drop_oldest.messages,
        bytes_before = f.bytes_before - drop_oldest.bytes WHERE f.queue_id = wanted;
END
$$;
