-- Topics. A subscription is a queue. Each change of a topic's subscriptions moves its generation on, by which a publish
-- notices that its broker has not seen one yet.
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
CREATE INDEX topic_account ON topic (account) WHERE account <> '';

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
