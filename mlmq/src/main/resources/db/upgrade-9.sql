-- From version 8.
UPDATE recount SET needed = true WHERE EXISTS (SELECT FROM broker);
DELETE FROM broker;
ALTER TABLE broker DROP CONSTRAINT tables_of_this_version;
ALTER TABLE broker ADD CONSTRAINT tables_of_this_version CHECK (tables = 9);
-- Messages with a time to live.
CREATE TABLE expiry (
    message_id  bigint PRIMARY KEY,
    queue_id    int NOT NULL,
    receiver_id int NOT NULL,
    prio        smallint NOT NULL,
    -- when its time ends; later for one that was not in its queue at that moment
    due         timestamptz NOT NULL,
    -- whether it was neither in its queue nor leased at the last look
    missed      boolean NOT NULL DEFAULT false
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX expiry_due ON expiry (due);
