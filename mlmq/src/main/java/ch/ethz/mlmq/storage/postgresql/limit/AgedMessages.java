package ch.ethz.mlmq.storage.postgresql.limit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Removes messages that are older than the age of their queue. The first of each receiver and priority is the oldest,
 * so a look at a queue without old messages reads a few rows.
 */
public final class AgedMessages {
    private static final String REMOVE = "WITH RECURSIVE place AS ("
            + "(SELECT m.receiver_id FROM message m WHERE m.queue_id = ?1 ORDER BY m.receiver_id LIMIT 1) UNION ALL "
            + "SELECT (SELECT m.receiver_id FROM message m WHERE m.queue_id = ?1 AND m.receiver_id > p.receiver_id "
            + "ORDER BY m.receiver_id LIMIT 1) FROM place p WHERE p.receiver_id IS NOT NULL), "
            + "first AS (SELECT p.receiver_id, o.prio FROM place p, generate_series(1, 10) AS o(prio), LATERAL ("
            + "SELECT m.sent_ms FROM message m WHERE m.queue_id = ?1 AND m.receiver_id = p.receiver_id "
            + "AND m.prio = o.prio ORDER BY m.id LIMIT 1) h WHERE h.sent_ms < ?2), "
            + "old AS MATERIALIZED (SELECT f.receiver_id, f.prio, c.id FROM first f, LATERAL (SELECT m.id, m.sent_ms "
            + "FROM message m WHERE m.queue_id = ?1 AND m.receiver_id = f.receiver_id AND m.prio = f.prio "
            + "ORDER BY m.id LIMIT ?3) c WHERE c.sent_ms < ?2), "
            + "gone AS (DELETE FROM message WHERE ctid = ANY (ARRAY(SELECT x.ctid FROM old o, LATERAL ("
            + "SELECT m.ctid FROM message m WHERE m.queue_id = ?1 AND m.receiver_id = o.receiver_id "
            + "AND m.prio = o.prio AND m.id = o.id FOR UPDATE SKIP LOCKED) x)) RETURNING 1) SELECT count(*) FROM gone";
    private static final String QUEUE = "w.queue";
    private static final String SQL = REMOVE.replace("WITH RECURSIVE place", "WITH RECURSIVE w AS MATERIALIZED ("
            + "SELECT ?::int AS queue, (extract(epoch FROM now()) * 1000)::bigint - ? AS sent_ms), place")
            .replace("?1", "(SELECT " + QUEUE + " FROM w)").replace("?2", "(SELECT w.sent_ms FROM w)")
            .replace("?3", "?");

    private AgedMessages() {
    }

    /** @param most messages of a receiver and priority. @return number of removed messages */
    public static int remove(Connection connection, int queue, long ageMillis, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL)) {
            statement.setInt(1, queue);
            statement.setLong(2, ageMillis);
            statement.setInt(3, most);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }
}
