package ch.ethz.mlmq.storage.postgresql.upkeep;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;

/**
 * Forgets the ends of messages that are gone before their time to live has ended. A pass looks at all ends, a part in
 * each step. A message that was gone in two passes does not come back, as a delivery that failed returns it earlier.
 */
final class EndsCleaning {
    /** Longest time of a step. */
    private static final long STEP_NANOS = 500_000_000;
    private static final int CHUNK = 10_000;
    /** Most gone messages that a pass remembers. */
    private static final int MOST = 1 << 19;
    private static final String LOOK = "SELECT count(*), max(e.message_id), COALESCE(array_agg(e.message_id "
            + "ORDER BY e.message_id) FILTER (WHERE NOT EXISTS (SELECT FROM lease l WHERE l.message_id = e.message_id) "
            + "AND NOT EXISTS (SELECT FROM message m WHERE m.queue_id = e.queue_id AND m.receiver_id = e.receiver_id "
            + "AND m.prio = e.prio AND m.id = e.message_id)), '{}') FROM (SELECT * FROM expiry WHERE message_id > ? "
            + "ORDER BY message_id LIMIT " + CHUNK + ") e";
    private static final String FORGET = "DELETE FROM expiry WHERE message_id = ANY (?)";

    private final long betweenNanos;
    private long passNanos = System.nanoTime();
    private long after;
    /** Ids, in ascending order. */
    private long[] goneBefore = {};
    private long[] gone = new long[CHUNK];
    private int count;
    private boolean ended;

    /** @param between shortest time between the begins of two passes */
    EndsCleaning(Duration between) {
        this.betweenNanos = between.toNanos();
    }

    /** @return number of ends that are forgotten */
    int remove(Connection open) throws SQLException {
        long start = System.nanoTime();
        if (ended && start - passNanos < betweenNanos) {
            return 0;
        }
        if (ended) {
            beginPass(start);
        }
        int removed = 0;
        do {
            removed += look(open);
        } while (!ended && System.nanoTime() - start < STEP_NANOS);
        return removed;
    }

    private void beginPass(long now) {
        passNanos = now;
        goneBefore = Arrays.copyOf(gone, count);
        gone = new long[CHUNK];
        count = 0;
        after = 0;
        ended = false;
    }

    private int look(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(LOOK)) {
            statement.setLong(1, after);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                ended = rows.getInt(1) < CHUNK;
                after = rows.getLong(2);
                return forget(open, (Long[]) rows.getArray(3).getArray());
            }
        }
    }

    private int forget(Connection open, Long[] ids) throws SQLException {
        Long[] again = Arrays.stream(ids).filter(id -> Arrays.binarySearch(goneBefore, id) >= 0).toArray(Long[]::new);
        for (long id : ids) {
            if (Arrays.binarySearch(goneBefore, id) < 0 && count < MOST) {
                gone = count < gone.length ? gone : Arrays.copyOf(gone, 2 * count);
                gone[count++] = id;
            }
        }
        if (again.length == 0) {
            return 0;
        }
        Array array = open.createArrayOf("bigint", again);
        try (PreparedStatement statement = open.prepareStatement(FORGET)) {
            statement.setArray(1, array);
            return statement.executeUpdate();
        }
    }
}
