package ch.ethz.mlmq.storage.postgresql.operation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Removes messages whose time to live has ended from their queues. It looks again for one that is leased at that moment
 * every second, and after a minute for one that is neither there nor leased, as a delivery that failed may put it back.
 */
public final class TimesToLive {
    private static final String ARE_DUE = "SELECT EXISTS (SELECT FROM expiry WHERE due <= now())";
    private static final String REMOVE = "WITH ending AS MATERIALIZED (SELECT * FROM expiry WHERE due <= now() "
            + "ORDER BY due LIMIT ? FOR UPDATE SKIP LOCKED), "
            + "gone AS (DELETE FROM message WHERE ctid = ANY (ARRAY(SELECT x.ctid FROM ending e, LATERAL ("
            + "SELECT m.ctid FROM message m WHERE m.queue_id = e.queue_id AND m.receiver_id = e.receiver_id "
            + "AND m.prio = e.prio AND m.id = e.message_id FOR UPDATE SKIP LOCKED) x)) RETURNING id, queue_id), "
            + "looked AS MATERIALIZED (SELECT e.message_id, l.message_id IS NOT NULL AS leased, "
            + "EXISTS (SELECT FROM gone WHERE id = e.message_id) OR e.missed AND l.message_id IS NULL AS ended "
            + "FROM ending e LEFT JOIN lease l USING (message_id)), "
            + "forgotten AS (DELETE FROM expiry x USING looked k WHERE k.ended AND x.message_id = k.message_id), "
            + "later AS (UPDATE expiry x SET missed = NOT k.leased, due = now() + CASE WHEN k.leased "
            + "THEN interval '1 s' ELSE interval '1 min' END "
            + "FROM looked k WHERE NOT k.ended AND x.message_id = k.message_id) "
            + "SELECT 0, count(*) FROM ending UNION ALL SELECT queue_id, count(*) FROM gone GROUP BY queue_id";

    private TimesToLive() {
    }

    /** @return true if the time of a message has ended */
    public static boolean areDue(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(ARE_DUE)) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    /** Removes messages. @param limit most messages to look at. @return number of those that were looked at */
    public static int remove(Connection connection, Changes changes, int limit) throws SQLException {
        int looked = 0;
        try (PreparedStatement statement = connection.prepareStatement(REMOVE)) {
            statement.setInt(1, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (rows.getInt(1) == 0) {
                        looked = rows.getInt(2);
                    }
                    for (int i = 0; rows.getInt(1) != 0 && i < rows.getInt(2); i++) {
                        changes.taken(rows.getInt(1));
                    }
                }
            }
        }
        return looked;
    }
}
