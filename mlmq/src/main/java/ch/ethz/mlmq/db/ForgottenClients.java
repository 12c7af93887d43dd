package ch.ethz.mlmq.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.logging.Logger;

/** Removes clients that have been away for long and have no message: a name that was used once is not kept for ever. */
final class ForgottenClients {
    private static final Logger LOG = Logger.getLogger(ForgottenClients.class.getName());
    private static final int CHUNK = 1_000;
    private static final String AWAY = "FROM client c WHERE c.broker_id IS NULL "
            + "AND c.seen_at < now() - ? * interval '1 ms' "
            + "AND NOT EXISTS (SELECT FROM queue q JOIN message m ON m.queue_id = q.id WHERE q.owner_id = c.id) "
            + "AND NOT EXISTS (SELECT FROM queue q JOIN lease l ON l.queue_id = q.id WHERE q.owner_id = c.id) "
            + "AND NOT EXISTS (SELECT FROM message m WHERE m.receiver_id = c.id AND m.receiver_id <> 0) "
            + "AND NOT EXISTS (SELECT FROM lease l WHERE l.receiver_id = c.id)";
    private static final String REMOVE = "WITH gone AS MATERIALIZED (SELECT c.id " + AWAY + " LIMIT " + CHUNK
            + " FOR UPDATE SKIP LOCKED), queues AS (UPDATE queue q SET deleted = true, name = NULL FROM gone "
            + "WHERE q.owner_id = gone.id) DELETE FROM client c USING gone WHERE c.id = gone.id";
    /** Whose broker dies after years is not forgotten at once. */
    private static final String SEE = "UPDATE client SET seen_at = now() WHERE broker_id IS NOT NULL "
            + "AND seen_at < now() - ? * interval '1 ms'";

    private final long keepMillis;

    /** @param keep how long a client may be away; zero: for ever */
    ForgottenClients(Duration keep) {
        this.keepMillis = keep.toMillis();
    }

    /** Done in the connection's transaction; nobody stores a message for them meanwhile. */
    void remove(Connection open) throws SQLException {
        if (keepMillis == 0) {
            return;
        }
        execute(open, SEE, keepMillis / 2);
        if (!isAnybodyAway(open)) {
            return;
        }
        try (Statement lock = open.createStatement()) {
            // It waits for running batches, and new ones wait for it: not for long.
            lock.execute("SET LOCAL lock_timeout = '2s'");
            lock.execute("SELECT pg_advisory_xact_lock(" + HotSql.LOCK + ")");
        }
        int removed = execute(open, REMOVE, keepMillis);
        LOG.info(() -> removed + " clients that had been away for long, and had no message, were removed");
    }

    private boolean isAnybodyAway(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement("SELECT " + AWAY + " LIMIT 1")) {
            statement.setLong(1, keepMillis);
            return statement.executeQuery().next();
        }
    }

    private static int execute(Connection open, String sql, long millis) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(sql)) {
            statement.setLong(1, millis);
            return statement.executeUpdate();
        }
    }
}
