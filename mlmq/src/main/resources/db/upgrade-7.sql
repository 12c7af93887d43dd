-- From version 6.
-- Users of brokers with authentication.
CREATE TABLE account (
    name       text PRIMARY KEY,
    -- SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>, as PostgreSQL keeps its own; null without a password
    verifier   text,
    created_at timestamptz NOT NULL DEFAULT now()
);
-- The one row moves on with each change of users and permissions. The secret makes salts of names that do not exist.
CREATE TABLE access (
    single     boolean PRIMARY KEY DEFAULT true CHECK (single),
    generation bigint NOT NULL DEFAULT 0,
    secret     bytea NOT NULL DEFAULT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
);
INSERT INTO access DEFAULT VALUES;
-- Whose name a client's is. It stays when the user is removed, so that nobody else gets the client's messages.
CREATE TABLE client_account (
    client_id int PRIMARY KEY REFERENCES client ON DELETE CASCADE,
    account   text NOT NULL
);
-- Which user made a public queue, and may do everything there.
CREATE TABLE queue_account (
    queue_id int PRIMARY KEY REFERENCES queue ON DELETE CASCADE,
    account  text NOT NULL
);
-- What users may do with objects whose name matches the pattern, in which % stands for any characters. The account
-- "everybody" is all users; the pattern of the kind "broker" is %.
CREATE TABLE permission (
    account     text NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('queue', 'client', 'broker')),
    pattern     text NOT NULL,
    can_send    boolean NOT NULL,
    can_receive boolean NOT NULL,
    can_manage  boolean NOT NULL,
    PRIMARY KEY (account, kind, pattern)
);
