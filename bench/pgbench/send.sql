\set queue random(:first, :last)
\set prio random(1, 10)
INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) VALUES (:queue, 1, :prio, 0, repeat('x', 100)::bytea);
