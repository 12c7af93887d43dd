-- Counts the queues, topics and subscriptions of a user. The lock keeps others from making some meanwhile.
CREATE OR REPLACE FUNCTION queues_of(user_name text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('queues of ' || user_name, 0));
    RETURN (SELECT count(*) FROM queue_account a JOIN queue q ON q.id = a.queue_id
            WHERE a.account = user_name AND NOT q.deleted AND NOT q.dead)
        + (SELECT count(*) FROM topic WHERE account = user_name AND account <> '')
        + (SELECT count(*) FROM subscription s JOIN client_account a ON a.client_id = s.client_id
            WHERE a.account = user_name AND s.client_id <> 0);
END
$$;

-- Opens a session as open_session does, for a client of a user. A name without a user becomes the user's when it gets
-- the session. If it is another user's, nothing happens, and the client is 0; or -1, if the user has as many names as
-- most_of_user, which is not 0. The user's own name is taken over from another broker without its token.
CREATE OR REPLACE FUNCTION open_session_of(client_name text, to_broker int, presented bigint, fresh bigint,
    channel text, user_name text, most_of_user int, OUT client int, OUT queue int, OUT number bigint, OUT new_token bigint)
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
        IF most_of_user > 0 AND NOT EXISTS (SELECT FROM client_account a WHERE a.client_id = client) THEN
            PERFORM pg_advisory_xact_lock(hashtextextended('clients of ' || user_name, 0));
            IF (SELECT count(*) FROM client_account a WHERE a.account = user_name) >= most_of_user THEN
                RAISE EXCEPTION USING ERRCODE = 'MQ002';
            END IF;
        END IF;
        INSERT INTO client_account VALUES (client, user_name)
            ON CONFLICT (client_id) DO UPDATE SET account = client_account.account RETURNING account INTO holder;
    END IF;
    IF holder <> user_name THEN
        RAISE EXCEPTION USING ERRCODE = 'MQ001';
    END IF;
EXCEPTION WHEN SQLSTATE 'MQ001' OR SQLSTATE 'MQ002' THEN
    client := CASE SQLSTATE WHEN 'MQ002' THEN -1 ELSE 0 END;
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
