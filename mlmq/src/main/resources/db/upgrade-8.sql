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
