-- Opens a session as open_session does, for a client of a user. A name without a user becomes the user's when it gets
-- the session. If it is another user's, nothing happens, and the client is 0. The user's own name is taken over from
-- another broker without its token.
CREATE OR REPLACE FUNCTION open_session_of(client_name text, to_broker int, presented bigint, fresh bigint,
    channel text, user_name text, OUT client int, OUT queue int, OUT number bigint, OUT new_token bigint)
LANGUAGE plpgsql AS $$
DECLARE
    holder text;
    held bigint;
BEGIN
    SELECT c.token INTO held FROM client c JOIN client_account a ON a.client_id = c.id
        WHERE c.name = client_name AND a.account = user_name AND c.broker_id <> to_broker;
    SELECT s.client, s.queue, s.number, s.new_token INTO client, queue, number, new_token
        FROM open_session(client_name, to_broker, CASE WHEN presented = 0 THEN COALESCE(held, 0) ELSE presented END,
            fresh, channel) s;
    IF number = 0 THEN
        SELECT a.account INTO holder FROM client_account a WHERE a.client_id = client;
    ELSE
        INSERT INTO client_account VALUES (client, user_name)
            ON CONFLICT (client_id) DO UPDATE SET account = client_account.account RETURNING account INTO holder;
    END IF;
    IF holder <> user_name THEN
        RAISE EXCEPTION USING ERRCODE = 'MQ001';
    END IF;
EXCEPTION WHEN SQLSTATE 'MQ001' THEN
    client := 0;
    queue := 0;
    number := 0;
    new_token := 0;
END
$$;

CREATE OR REPLACE FUNCTION access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE access SET generation = generation + 1;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER access_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON account
    EXECUTE FUNCTION access_changed();
CREATE OR REPLACE TRIGGER access_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON permission
    EXECUTE FUNCTION access_changed();
CREATE OR REPLACE TRIGGER access_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON membership
    EXECUTE FUNCTION access_changed();
