-- From version 9.
UPDATE recount SET needed = true WHERE EXISTS (SELECT FROM broker);
DELETE FROM broker;
ALTER TABLE broker DROP CONSTRAINT tables_of_this_version;
ALTER TABLE broker ADD CONSTRAINT tables_of_this_version CHECK (tables = 10);
-- Limits of queues; null stands for none.
CREATE TABLE queue_limit (
    queue_id       int PRIMARY KEY REFERENCES queue ON DELETE CASCADE,
    messages       bigint,
    bytes          bigint,
    -- whether a full queue drops its oldest messages, or refuses new ones
    drops          boolean NOT NULL,
    -- after which a message is removed
    age_ms         bigint,
    -- deliveries after which a message is a dead letter
    attempts       int,
    -- waits before a message comes back after its first delivery, and the longest one
    backoff_ms     bigint,
    backoff_max_ms bigint
);
-- What queues with a limit of length hold. Each sum with its "before" is never less than what they hold: it counts what
-- was sent, and not what was taken, until it is counted again.
CREATE TABLE queue_fill (
    queue_id        int PRIMARY KEY REFERENCES queue_limit ON DELETE CASCADE,
    -- what was sent
    messages        bigint NOT NULL DEFAULT 0,
    bytes           bigint NOT NULL DEFAULT 0,
    -- what it held at the last count less what had been sent until then; null before the first one
    messages_before bigint,
    bytes_before    bigint,
    -- the last transaction that took room; it does not count what it has not stored yet
    taken_by        xid8,
    -- senders do not count before
    rests_until     timestamptz NOT NULL DEFAULT now(),
    -- how many messages had come and gone when a broker counted last, and when one counts again
    counted         bigint,
    counts_from     timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
-- When somebody decided whose name it is; null if the user took it.
ALTER TABLE client_account ADD reserved_at timestamptz;
CREATE INDEX client_account_reserved ON client_account (reserved_at) WHERE reserved_at IS NOT NULL;
CREATE INDEX client_account_account ON client_account (account);
CREATE INDEX topic_account ON topic (account) WHERE account <> '';
