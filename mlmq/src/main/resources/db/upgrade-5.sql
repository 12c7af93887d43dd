-- From version 4.
ALTER TABLE queue_length ADD gained bigint NOT NULL DEFAULT 0;
