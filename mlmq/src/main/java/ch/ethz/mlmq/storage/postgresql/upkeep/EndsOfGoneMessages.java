package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.log.Every;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Removes ends of times to live whose messages are gone: a message may be taken at once, and have a year to live. As a
 * delivery that failed may put a message back, it must be missing in two passes. One broker of a database makes them,
 * so that no pass of another comes in between.
 */
final class EndsOfGoneMessages {
    /** Time between two passes, longer than a failed delivery takes to put its message back. */
    static final Duration PERIOD = Duration.ofMinutes(1);
    /** The session that has this advisory lock makes the passes. */
    private static final String MINE = "SELECT pg_try_advisory_lock(1835822450)";
    private static final int CHUNK = 10_000;
    /** Longest time of a step, so that a long pass takes a twentieth of the time; the rest follows in the next step. */
    private static final long STEP_NANOS = 250_000_000;
    /** It waits for nobody who moves messages or removes them at their end. */
    private static final String LOOK = "WITH looked AS MATERIALIZED (SELECT e.*, EXISTS (SELECT FROM message m "
            + "WHERE m.queue_id = e.queue_id AND m.receiver_id = e.receiver_id AND m.prio = e.prio "
            + "AND m.id = e.message_id) OR EXISTS (SELECT FROM lease l WHERE l.message_id = e.message_id) AS there "
            + "FROM (SELECT * FROM expiry WHERE message_id > ? ORDER BY message_id LIMIT " + CHUNK + ") e), "
            + "changing AS MATERIALIZED (SELECT k.* FROM looked k JOIN expiry x USING (message_id) "
            + "WHERE NOT k.there OR k.missed FOR UPDATE OF x SKIP LOCKED), "
            + "gone AS (DELETE FROM expiry x USING changing c WHERE x.message_id = c.message_id AND c.missed "
            + "AND NOT c.there), "
            + "marked AS (UPDATE expiry x SET missed = NOT c.there FROM changing c "
            + "WHERE x.message_id = c.message_id AND c.missed = c.there) "
            + "SELECT COALESCE(max(message_id), 0), count(*) FROM looked";

    private final Every pass;
    /** The last message of the pass that was looked at; 0 between two passes. */
    private long last;

    EndsOfGoneMessages(Duration period) {
        this.pass = Every.startingNow(period);
    }

    /** Continues the pass, or begins one. @return number of ends at which it has looked */
    int remove(Connection open) throws SQLException {
        long begun = System.nanoTime();
        if (last == 0 && !pass.isDue(begun) || !isMine(open)) {
            return 0;
        }
        int all = 0;
        int looked;
        do {
            looked = look(open);
            all += looked;
        } while (looked == CHUNK && System.nanoTime() - begun < STEP_NANOS);
        last = looked == CHUNK ? last : 0;
        return all;
    }

    private int look(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(LOOK)) {
            statement.setLong(1, last);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                last = rows.getLong(1);
                return rows.getInt(2);
            }
        }
    }

    private static boolean isMine(Connection open) throws SQLException {
        try (Statement statement = open.createStatement(); ResultSet rows = statement.executeQuery(MINE)) {
            rows.next();
            return rows.getBoolean(1);
        }
    }
}
