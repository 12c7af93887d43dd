package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.scenario.link.Numbering;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The schema of a queue's tables, which the first client creates.
 *
 * @param name       of the schema
 * @param priorities true if messages are taken by priority
 */
record TableSchema(String name, boolean priorities) {
    /**
     * The autovacuum settings of MLMQ's own table of messages, see schema.sql. PostgreSQL's defaults keep dead rows
     * longer.
     */
    static final String VACUUM = "autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 20000, "
            + "autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_insert_threshold = -1";
    /** The advisory lock of programs that create tables; brokers do not use it. */
    private static final long LOCK = 0x6d6c6d715f71L;
    /** Tables and functions of a schema, the same as pgmq's. */
    private static final String PGMQ = """
            CREATE OR REPLACE FUNCTION %1$s.create_queue(queue text) RETURNS void LANGUAGE plpgsql AS $f$
            BEGIN
                EXECUTE format('CREATE TABLE IF NOT EXISTS %1$s.%%I (msg_id bigint PRIMARY KEY GENERATED ALWAYS AS '
                    'IDENTITY, read_ct int NOT NULL DEFAULT 0, enqueued_at timestamptz NOT NULL DEFAULT now(), '
                    'vt timestamptz NOT NULL, prio smallint, context bigint, message bytea)', 'q_' || queue);
                EXECUTE format('CREATE INDEX IF NOT EXISTS %%I ON %1$s.%%I (vt)', 'q_' || queue || '_vt',
                    'q_' || queue);
                EXECUTE format('CREATE TABLE IF NOT EXISTS %1$s.%%I (msg_id bigint PRIMARY KEY, read_ct int NOT '
                    'NULL, enqueued_at timestamptz NOT NULL, archived_at timestamptz NOT NULL DEFAULT now(), '
                    'vt timestamptz NOT NULL, prio smallint, context bigint, message bytea)', 'a_' || queue);
                EXECUTE format('CREATE INDEX IF NOT EXISTS %%I ON %1$s.%%I (archived_at)',
                    'a_' || queue || '_archived_at', 'a_' || queue);
            END $f$;
            CREATE OR REPLACE FUNCTION %1$s.send(queue text, prio int, context bigint, message bytea)
            RETURNS SETOF bigint LANGUAGE plpgsql AS $f$
            BEGIN
                RETURN QUERY EXECUTE format('INSERT INTO %1$s.%%I (vt, prio, context, message) '
                    'VALUES (clock_timestamp(), $1, $2, $3) RETURNING msg_id', 'q_' || queue)
                    USING prio, context, message;
            END $f$;
            CREATE OR REPLACE FUNCTION %1$s.send_batch(queue text, prios int[], contexts bigint[], messages bytea[])
            RETURNS SETOF bigint LANGUAGE plpgsql AS $f$
            BEGIN
                RETURN QUERY EXECUTE format('INSERT INTO %1$s.%%I (vt, prio, context, message) SELECT '
                    'clock_timestamp(), u.* FROM unnest($1, $2, $3) AS u RETURNING msg_id', 'q_' || queue)
                    USING prios, contexts, messages;
            END $f$;
            CREATE OR REPLACE FUNCTION %1$s.read(queue text, vt int, qty int) RETURNS TABLE (msg_id bigint,
                read_ct int, enqueued_at timestamptz, prio smallint, context bigint, message bytea)
            LANGUAGE plpgsql AS $f$
            BEGIN
                RETURN QUERY EXECUTE format('WITH cte AS (SELECT msg_id FROM %1$s.%%1$I WHERE vt <= '
                    'clock_timestamp() ORDER BY msg_id ASC LIMIT $1 FOR UPDATE SKIP LOCKED) UPDATE %1$s.%%1$I m '
                    'SET vt = clock_timestamp() + $2, read_ct = read_ct + 1 FROM cte WHERE m.msg_id = cte.msg_id '
                    'RETURNING m.msg_id, m.read_ct, m.enqueued_at, m.prio, m.context, m.message', 'q_' || queue)
                    USING qty, make_interval(secs => vt);
            END $f$;
            CREATE OR REPLACE FUNCTION %1$s.pop(queue text) RETURNS TABLE (msg_id bigint, read_ct int,
                enqueued_at timestamptz, prio smallint, context bigint, message bytea) LANGUAGE plpgsql AS $f$
            BEGIN
                RETURN QUERY EXECUTE format('WITH cte AS (SELECT msg_id FROM %1$s.%%1$I WHERE vt <= '
                    'clock_timestamp() ORDER BY msg_id ASC LIMIT 1 FOR UPDATE SKIP LOCKED) DELETE FROM '
                    '%1$s.%%1$I WHERE msg_id = (SELECT msg_id FROM cte) '
                    'RETURNING msg_id, read_ct, enqueued_at, prio, context, message', 'q_' || queue);
            END $f$;
            CREATE OR REPLACE FUNCTION %1$s.archive(queue text, id bigint) RETURNS boolean LANGUAGE plpgsql AS $f$
            DECLARE archived bigint;
            BEGIN
                EXECUTE format('WITH archived AS (DELETE FROM %1$s.%%I WHERE msg_id = $1 RETURNING msg_id, vt, '
                    'read_ct, enqueued_at, prio, context, message) INSERT INTO %1$s.%%I (msg_id, vt, read_ct, '
                    'enqueued_at, prio, context, message) SELECT msg_id, vt, read_ct, enqueued_at, prio, context, '
                    'message FROM archived RETURNING msg_id', 'q_' || queue, 'a_' || queue) USING id INTO archived;
                RETURN archived IS NOT NULL;
            END $f$;
            CREATE OR REPLACE FUNCTION %1$s.remove(queue text, id bigint) RETURNS boolean LANGUAGE plpgsql AS $f$
            DECLARE removed bigint;
            BEGIN
                EXECUTE format('DELETE FROM %1$s.%%I WHERE msg_id = $1 RETURNING msg_id', 'q_' || queue)
                    USING id INTO removed;
                RETURN removed IS NOT NULL;
            END $f$;
            CREATE OR REPLACE FUNCTION %1$s.archive(queue text, ids bigint[]) RETURNS SETOF bigint LANGUAGE plpgsql
            AS $f$
            BEGIN
                RETURN QUERY EXECUTE format('WITH archived AS (DELETE FROM %1$s.%%I WHERE msg_id = ANY($1) RETURNING '
                    'msg_id, vt, read_ct, enqueued_at, prio, context, message) INSERT INTO %1$s.%%I (msg_id, vt, '
                    'read_ct, enqueued_at, prio, context, message) SELECT msg_id, vt, read_ct, enqueued_at, prio, '
                    'context, message FROM archived RETURNING msg_id', 'q_' || queue, 'a_' || queue) USING ids;
            END $f$;
            CREATE OR REPLACE FUNCTION %1$s.remove(queue text, ids bigint[]) RETURNS SETOF bigint LANGUAGE plpgsql
            AS $f$
            BEGIN
                RETURN QUERY EXECUTE format('DELETE FROM %1$s.%%I WHERE msg_id = ANY($1) RETURNING msg_id',
                    'q_' || queue) USING ids;
            END $f$;
            """;

    /** Creates one table for all queues, with one index in the order in which messages are taken, and subscriptions. */
    void createSkipLocked(Connection connection) throws SQLException {
        create(connection, "to_regclass('" + name + ".subscription')", """
                CREATE TABLE IF NOT EXISTS %1$s.message (id bigint GENERATED ALWAYS AS IDENTITY, queue int NOT NULL,
                    prio smallint NOT NULL, context bigint NOT NULL, sent_ms bigint NOT NULL, content bytea NOT NULL)
                    WITH (%3$s);
                CREATE UNIQUE INDEX IF NOT EXISTS message_order ON %1$s.message (queue, %2$sid);
                CREATE TABLE IF NOT EXISTS %1$s.subscription (topic int, name text,
                    queue int NOT NULL GENERATED ALWAYS AS IDENTITY (START WITH %4$d), filters jsonb[] NOT NULL,
                    PRIMARY KEY (topic, name));
                """.formatted(name, priorities ? "prio DESC, " : "", VACUUM, Numbering.FIRST_SUBSCRIPTION));
    }

    /** Creates functions like pgmq's, but with contents of bytes instead of JSON, and a column for the context. */
    void createPgmq(Connection connection) throws SQLException {
        create(connection, "to_regprocedure('" + name + ".send_batch(text, int[], bigint[], bytea[])')",
                PGMQ.formatted(name));
    }

    /**
     * Creates objects under a lock, because all clients come at once and two cannot create the same table.
     *
     * @param newest is null where the newest of them is missing, such as in the schema of an earlier version
     */
    private void create(Connection connection, String newest, String objects) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
            boolean there;
            try (var rows = statement.executeQuery("SELECT " + newest + " IS NOT NULL")) {
                rows.next();
                there = rows.getBoolean(1);
            }
            if (!there) {
                statement.execute("CREATE SCHEMA IF NOT EXISTS " + name);
                statement.execute(objects);
                statement.execute("CREATE TABLE IF NOT EXISTS " + name + ".client (name text PRIMARY KEY)");
            }
            connection.commit();
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
