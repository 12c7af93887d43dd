-- From version 7.
-- A broker that stands still during the upgrade finds itself removed with its next heartbeat. It cannot register with
-- these tables again, and no client can register at it.
UPDATE recount SET needed = true WHERE EXISTS (SELECT FROM broker);
DELETE FROM broker;
ALTER TABLE broker ADD tables int NOT NULL DEFAULT 8 CONSTRAINT tables_of_this_version CHECK (tables = 8);
ALTER TABLE broker ALTER tables DROP DEFAULT;

ALTER TABLE account ADD is_role boolean NOT NULL DEFAULT false CHECK (NOT is_role OR verifier IS NULL);
CREATE TABLE membership (
    role   text NOT NULL REFERENCES account ON DELETE CASCADE,
    member text NOT NULL REFERENCES account ON DELETE CASCADE,
    PRIMARY KEY (role, member)
);
CREATE INDEX membership_member ON membership (member);
CREATE INDEX queue_account_account ON queue_account (account);
DELETE FROM permission WHERE account <> 'everybody' AND account NOT IN (SELECT name FROM account);
ALTER TABLE permission ADD grantee text GENERATED ALWAYS AS (NULLIF(account, 'everybody')) STORED
    REFERENCES account ON DELETE CASCADE;
-- Properties of messages.
ALTER TABLE message ADD properties bytea;
ALTER TABLE lease ADD properties bytea;
-- Topics.
CREATE TABLE topic (
    id            int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name          text NOT NULL UNIQUE,
    -- the user that made it; empty without users
    account       text NOT NULL,
    generation    bigint NOT NULL DEFAULT 0,
    subscriptions int NOT NULL DEFAULT 0,
    -- of the filters of all of them
    filter_weight bigint NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

CREATE TABLE subscription (
    queue_id   int PRIMARY KEY,
    topic_id   int NOT NULL REFERENCES topic,
    name       text NOT NULL,
    -- empty for all messages
    filter     text NOT NULL,
    -- the client that it ends with, and that owns the queue; 0 for a durable one
    client_id  int NOT NULL,
    -- that of the topic since it is there
    generation bigint NOT NULL,
    UNIQUE (topic_id, name)
);
CREATE INDEX subscription_generation ON subscription (topic_id, generation);
CREATE INDEX subscription_client ON subscription (client_id) WHERE client_id <> 0;
