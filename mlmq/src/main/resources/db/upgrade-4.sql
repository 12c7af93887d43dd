-- From version 3.
ALTER TABLE broker ADD version text NOT NULL DEFAULT '';
