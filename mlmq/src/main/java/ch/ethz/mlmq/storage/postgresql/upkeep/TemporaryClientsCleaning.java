package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.storage.TemporaryClients;
import ch.ethz.mlmq.storage.postgresql.operation.SharedLocks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;

/**
 * Removes temporary clients that have said goodbye or were offline too long, with their personal queues. One stays
 * while a message in a public queue is addressed to it: if it said goodbye, until that message is gone; else until a
 * broker starts, or {@link ForgottenClients} removes it.
 *
 * <p>A look reads only clients that have gone since the look before it, as there may be many named ones. The first look
 * of a broker reads all. Clients that said goodbye are before all others: they were seen at {@code -infinity}.
 */
public final class TemporaryClientsCleaning {
    /** SQL of the time at which a client that says goodbye was seen last. */
    public static final String SEEN_AT_GOODBYE =
            "CASE WHEN name LIKE '" + Limits.TEMPORARY + "%' THEN '-infinity'::timestamptz ELSE now() END";
    private static final Logger LOG = Logger.getLogger(TemporaryClientsCleaning.class.getName());
    private static final int CHUNK = 1_000;
    /** Longest time between the beginning of a transaction that ends a session and its commit, with a reserve. */
    private static final Duration TRANSACTION = Duration.ofMinutes(1);
    private static final String GONE = "FROM client c WHERE c.broker_id IS NULL AND c.name LIKE '" + Limits.TEMPORARY
            + "%' AND NOT EXISTS (SELECT FROM message m WHERE m.receiver_id = c.id AND m.receiver_id <> 0) "
            + "AND NOT EXISTS (SELECT FROM lease l WHERE l.receiver_id = c.id) AND c.seen_at ";
    private static final String LOOK = "(SELECT c.id " + GONE + "= '-infinity' LIMIT " + CHUNK + ") UNION ALL "
            + "(SELECT c.id " + GONE + "BETWEEN ?::timestamptz AND now() - ? * interval '1 ms' LIMIT " + CHUNK + ")";
    /** Checks the clients again, in one transaction, while no message is stored for them. */
    private static final String REMOVE = "SELECT " + SharedLocks.HOLD_MESSAGES + "; WITH gone AS MATERIALIZED ("
            + "SELECT c.id " + GONE + "< now() - ? * interval '1 ms' AND c.id = ANY (?) FOR UPDATE SKIP LOCKED), "
            + "queues AS (UPDATE queue q SET deleted = true, name = NULL FROM gone WHERE q.owner_id = gone.id) "
            + "DELETE FROM client c USING gone WHERE c.id = gone.id";

    private final long keepMillis;
    private String since = "-infinity";

    /** @param clientKeep time for which named clients are kept; zero: for ever */
    TemporaryClientsCleaning(Duration clientKeep) {
        this.keepMillis = TemporaryClients.keep(clientKeep).toMillis();
    }

    /** @return number of removed clients */
    int remove(Connection open) throws SQLException {
        String next = timeOfNextLook(open);
        List<Integer> gone = look(open);
        int removed = gone.isEmpty() ? 0 : remove(open, gone);
        if (gone.size() < CHUNK) {
            since = next;
        }
        return removed;
    }

    private String timeOfNextLook(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement("SELECT (now() - ? * interval '1 ms')::text")) {
            statement.setLong(1, keepMillis + TRANSACTION.toMillis());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    private List<Integer> look(Connection open) throws SQLException {
        List<Integer> gone = new ArrayList<>();
        try (PreparedStatement statement = open.prepareStatement(LOOK)) {
            statement.setString(1, since);
            statement.setLong(2, keepMillis);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    gone.add(rows.getInt(1));
                }
            }
        }
        return gone;
    }

    private int remove(Connection open, List<Integer> gone) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(REMOVE)) {
            statement.setLong(1, keepMillis);
            statement.setObject(2, gone.stream().mapToInt(Integer::intValue).toArray());
            statement.execute();
            statement.getMoreResults();
            int removed = statement.getUpdateCount();
            LOG.fine(() -> removed + " temporary clients were removed");
            return removed;
        }
    }
}
