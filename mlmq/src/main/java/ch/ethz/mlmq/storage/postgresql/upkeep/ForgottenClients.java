package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.storage.postgresql.operation.SharedLocks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;

/** Removes clients that were offline for long and have no message, so that names used once are not kept for ever. */
final class ForgottenClients {
    private static final Logger LOG = Logger.getLogger(ForgottenClients.class.getName());
    private static final int CHUNK = 1_000;
    private static final String AWAY = "FROM client c WHERE c.broker_id IS NULL "
            + "AND c.seen_at < now() - ? * interval '1 ms' "
            + "AND NOT EXISTS (SELECT FROM queue q JOIN message m ON m.queue_id = q.id WHERE q.owner_id = c.id) "
            + "AND NOT EXISTS (SELECT FROM queue q JOIN lease l ON l.queue_id = q.id WHERE q.owner_id = c.id) "
            + "AND NOT EXISTS (SELECT FROM message m WHERE m.receiver_id = c.id AND m.receiver_id <> 0) "
            + "AND NOT EXISTS (SELECT FROM lease l WHERE l.receiver_id = c.id)";
    private static final String LOOK = "SELECT c.id " + AWAY + " LIMIT " + CHUNK;
    /**
     * Removes clients in one round trip, which is a transaction by itself. It checks the clients again under the lock.
     */
    private static final String REMOVE = "SELECT " + SharedLocks.HOLD_MESSAGES + "; WITH gone AS MATERIALIZED ("
            + "SELECT c.id " + AWAY + " AND c.id = ANY (?) FOR UPDATE SKIP LOCKED), queues AS (UPDATE queue q "
            + "SET deleted = true, name = NULL FROM gone WHERE q.owner_id = gone.id) "
            + "DELETE FROM client c USING gone WHERE c.id = gone.id";
    /** Marks clients as seen, so that those of a broker that dies after years are not removed at once. */
    private static final String SEE = "UPDATE client SET seen_at = now() WHERE broker_id IS NOT NULL "
            + "AND seen_at < now() - ? * interval '1 ms'";

    private final long keepMillis;

    /** @param keep time for which an offline client is kept; zero: for ever */
    ForgottenClients(Duration keep) {
        this.keepMillis = keep.toMillis();
    }

    /** @return number of removed clients, at most {@link #CHUNK}; no message is stored for them meanwhile */
    int remove(Connection open) throws SQLException {
        if (keepMillis == 0) {
            return 0;
        }
        try (PreparedStatement statement = open.prepareStatement(SEE)) {
            statement.setLong(1, keepMillis / 2);
            statement.executeUpdate();
        }
        List<Integer> away = look(open);
        return away.isEmpty() ? 0 : remove(open, away);
    }

    private List<Integer> look(Connection open) throws SQLException {
        List<Integer> away = new ArrayList<>();
        try (PreparedStatement statement = open.prepareStatement(LOOK)) {
            statement.setLong(1, keepMillis);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    away.add(rows.getInt(1));
                }
            }
        }
        return away;
    }

    private int remove(Connection open, List<Integer> away) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(REMOVE)) {
            statement.setLong(1, keepMillis);
            statement.setObject(2, away.stream().mapToInt(Integer::intValue).toArray());
            statement.execute();
            statement.getMoreResults();
            int removed = statement.getUpdateCount();
            LOG.info(() -> removed + " clients that were offline for long, and had no message, were removed");
            return removed;
        }
    }
}
