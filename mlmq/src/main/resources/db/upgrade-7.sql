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
