-- From version 5. No broker runs meanwhile.
ALTER TABLE schema_version ADD PRIMARY KEY (version);

DELETE FROM broker;
ALTER TABLE broker ADD instance text NOT NULL DEFAULT '', ADD address text NOT NULL DEFAULT '',
    ADD role name NOT NULL DEFAULT current_user;

ALTER TABLE queue ADD stored_before xid8;
CREATE INDEX queue_deleted ON queue (id) WHERE deleted;

ALTER TABLE message REPLICA IDENTITY USING INDEX message_order;
ALTER TABLE lease SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_insert_threshold = -1);

-- The window was a setting of each broker; ten minutes is its default.
UPDATE dedup SET sent_at = sent_at + interval '10 min';
ALTER TABLE dedup RENAME sent_at TO expires_at;
ALTER INDEX dedup_sent_at RENAME TO dedup_expires_at;

-- Lengths are counted anew by the first broker that starts.
TRUNCATE recount_change;
DROP TABLE recount;
CREATE TABLE recount (
    single     boolean PRIMARY KEY DEFAULT true CHECK (single),
    generation bigint NOT NULL DEFAULT 0,
    counted    pg_snapshot NOT NULL DEFAULT '1:1:',
    begun      pg_snapshot,
    counter    int,
    announced_at timestamptz,
    needed     boolean NOT NULL DEFAULT false
);
INSERT INTO recount (needed) VALUES (true);
