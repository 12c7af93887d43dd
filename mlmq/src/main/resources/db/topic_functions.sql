-- Characters of a filter, and 1,000 more for each "like" in it, as Subscriptions.weight in Java.
CREATE OR REPLACE FUNCTION filter_weight(filter text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT length(filter) + 1000 * (SELECT count(*) FROM regexp_matches(filter, 'like', 'gi'))
$$;

-- Ends the subscription of a queue, in whatever way the queue is deleted. Its dead letters stay those of its user.
CREATE OR REPLACE FUNCTION subscription_ended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ended subscription;
    dead_letters int;
BEGIN
    DELETE FROM subscription s WHERE s.queue_id = NEW.id RETURNING * INTO ended;
    IF FOUND THEN
        SELECT q.id INTO dead_letters FROM queue q WHERE ended.client_id = 0 AND q.owner_id = 0
            AND q.name = OLD.name || '.dead' AND q.dead;
        IF FOUND THEN
            DELETE FROM queue_account a WHERE a.queue_id = dead_letters;
            INSERT INTO queue_account SELECT dead_letters, a.account FROM queue_account a WHERE a.queue_id = NEW.id;
        END IF;
        UPDATE topic t SET generation = t.generation + 1, subscriptions = t.subscriptions - 1,
            filter_weight = t.filter_weight - filter_weight(ended.filter) WHERE t.id = ended.topic_id;
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER subscription_ended AFTER UPDATE OF deleted ON queue
    FOR EACH ROW WHEN (NEW.deleted AND NOT OLD.deleted) EXECUTE FUNCTION subscription_ended();

-- Finds or makes a subscription. If it does not, it returns 'no topic', 'other' (than wanted is there, or has left dead
-- letters), 'full', or 'too many' (queues of the user, where most_of_user is not 0).
CREATE OR REPLACE FUNCTION subscribe(wanted_topic int, wanted_name text, wanted_filter text, of_client int,
    user_name text, most int, most_weight bigint, most_of_user int,
    OUT obstacle text, OUT queue int, OUT queue_name text)
LANGUAGE plpgsql AS $$
DECLARE
    of_topic topic;
    there subscription;
BEGIN
    SELECT * INTO of_topic FROM topic t WHERE t.id = wanted_topic FOR UPDATE;
    IF NOT FOUND THEN
        obstacle := 'no topic';
        RETURN;
    END IF;
    queue_name := of_topic.name || '/' || wanted_name;
    SELECT * INTO there FROM subscription s WHERE s.topic_id = wanted_topic AND s.name = wanted_name;
    IF FOUND THEN
        queue := there.queue_id;
        IF there.filter <> wanted_filter OR there.client_id <> of_client OR user_name <> '' AND of_client = 0 AND
            user_name IS DISTINCT FROM (SELECT a.account FROM queue_account a WHERE a.queue_id = there.queue_id) THEN
            obstacle := 'other';
        END IF;
        RETURN;
    END IF;
    IF user_name <> '' AND of_client = 0 THEN
        PERFORM FROM queue q LEFT JOIN queue_account a ON a.queue_id = q.id WHERE q.owner_id = 0
            AND q.name = subscribe.queue_name || '.dead' AND q.dead AND a.account IS DISTINCT FROM user_name
            AND (EXISTS (SELECT FROM message m WHERE m.queue_id = q.id)
                OR EXISTS (SELECT FROM lease l WHERE l.queue_id = q.id));
        IF FOUND THEN
            obstacle := 'other';
            RETURN;
        END IF;
    END IF;
    IF of_topic.subscriptions >= most OR of_topic.filter_weight + filter_weight(wanted_filter) > most_weight THEN
        obstacle := 'full';
        RETURN;
    END IF;
    IF user_name <> '' AND most_of_user > 0 THEN
        IF queues_of(user_name) >= most_of_user THEN
            obstacle := 'too many';
            RETURN;
        END IF;
    END IF;
    INSERT INTO queue (name, owner_id) VALUES (queue_name, of_client) RETURNING id INTO queue;
    INSERT INTO queue_length VALUES (queue, 0);
    IF of_client = 0 AND user_name <> '' THEN
        INSERT INTO queue_account VALUES (queue, user_name);
    END IF;
    UPDATE topic t SET generation = t.generation + 1, subscriptions = t.subscriptions + 1,
        filter_weight = t.filter_weight + filter_weight(wanted_filter) WHERE t.id = wanted_topic;
    INSERT INTO subscription VALUES (queue, wanted_topic, wanted_name, wanted_filter, of_client,
        of_topic.generation + 1);
END
$$;

-- Ends a subscription of anybody, or of that user. Returns 'no topic', 'gone' or 'other' if it does not, and the queue.
CREATE OR REPLACE FUNCTION unsubscribe(wanted_topic int, wanted_name text, of_client int, user_name text,
    OUT obstacle text, OUT queue int)
LANGUAGE plpgsql AS $$
DECLARE
    there subscription;
BEGIN
    IF NOT EXISTS (SELECT FROM topic t WHERE t.id = wanted_topic) THEN
        obstacle := 'no topic';
        RETURN;
    END IF;
    SELECT * INTO there FROM subscription s WHERE s.topic_id = wanted_topic AND s.name = wanted_name;
    queue := there.queue_id;
    IF queue IS NULL THEN
        obstacle := 'gone';
    ELSIF there.client_id NOT IN (0, of_client) OR user_name <> '' AND there.client_id = 0 AND
        user_name IS DISTINCT FROM (SELECT a.account FROM queue_account a WHERE a.queue_id = there.queue_id) THEN
        obstacle := 'other';
    ELSE
        UPDATE queue q SET deleted = true, name = NULL WHERE q.id = there.queue_id AND NOT q.deleted;
        IF NOT FOUND THEN obstacle := 'gone'; END IF;
    END IF;
END
$$;

-- Deletes a topic with its subscriptions and their queues. Returns the queues, or null if there is no topic.
CREATE OR REPLACE FUNCTION delete_topic(wanted int) RETURNS int[] LANGUAGE plpgsql AS $$
DECLARE
    queues int[];
BEGIN
    PERFORM FROM topic t WHERE t.id = wanted FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    WITH ended AS (DELETE FROM subscription s WHERE s.topic_id = wanted RETURNING s.queue_id)
        SELECT COALESCE(array_agg(queue_id), '{}') INTO queues FROM ended;
    DELETE FROM topic t WHERE t.id = wanted;
    UPDATE queue q SET deleted = true, name = NULL WHERE q.id = ANY (queues) AND NOT q.deleted;
    RETURN queues;
END
$$;

-- Ends a transaction in which a broker published without knowing all subscriptions.
CREATE OR REPLACE FUNCTION stale_topic(topic int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the subscriptions of topic % have changed', topic USING ERRCODE = 'ML002', DETAIL = topic;
END
$$;
