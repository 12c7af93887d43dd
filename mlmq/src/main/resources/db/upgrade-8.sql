-- From version 7.
-- Properties of messages.
ALTER TABLE message ADD properties bytea;
ALTER TABLE lease ADD properties bytea;
