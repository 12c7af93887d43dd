\set queue random(:first, :last)
DELETE FROM message WHERE ctid = (SELECT ctid FROM message WHERE queue_id = :queue AND receiver_id = 0 ORDER BY prio DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, prio, content;
