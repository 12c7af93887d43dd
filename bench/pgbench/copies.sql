\set prio random(1, 10)
INSERT INTO message (queue_id, sender_id, prio, sent_ms, content, properties) SELECT copy, 1, :prio, 0, repeat('x', 100)::bytea, repeat('p', 9)::bytea FROM generate_series(1, :copies) AS copy;
