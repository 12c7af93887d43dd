-- From version 10. Only functions differ.
UPDATE recount SET needed = true WHERE EXISTS (SELECT FROM broker);
DELETE FROM broker;
ALTER TABLE broker DROP CONSTRAINT tables_of_this_version;
ALTER TABLE broker ADD CONSTRAINT tables_of_this_version CHECK (tables = 11);
