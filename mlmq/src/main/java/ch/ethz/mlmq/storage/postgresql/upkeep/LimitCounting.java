package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.limit.LimitCounters;
import ch.ethz.mlmq.storage.limit.QueueLimits;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import ch.ethz.mlmq.storage.postgresql.length.LengthLedger;
import ch.ethz.mlmq.storage.postgresql.limit.LimitDirectory;
import ch.ethz.mlmq.storage.postgresql.operation.Changes;
import ch.ethz.mlmq.storage.postgresql.operation.Rooms;
import ch.ethz.mlmq.storage.postgresql.operation.SharedLocks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/**
 * Counts queues with a limit of length, without a lock: the numbers of what was sent and of what is there are of one
 * snapshot, so what is sent meanwhile is known. It finds what was taken out of long queues, and what came into a queue
 * on another way than by a send. Queues that drop messages lose what is too much.
 */
public final class LimitCounting implements Agent {
    private static final Logger LOG = Logger.getLogger(LimitCounting.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int CHUNK = 1_000;
    private static final long CHUNK_BYTES = 256_000;
    /** Divisor of the time: counts of a queue take at most this part of it. */
    private static final int REST = 20;
    private static final long REST_MILLIS = 900;
    /** A queue that has not changed is counted if it may be nearly full, as leases that end make room. */
    private static final String NEEDED = "SELECT f.queue_id, 2 * n.gained - n.messages FROM queue_fill f "
            + "JOIN queue_limit l USING (queue_id) JOIN queue_length n USING (queue_id) WHERE f.counts_from <= now() "
            + "AND (f.counted IS DISTINCT FROM 2 * n.gained - n.messages "
            + "OR f.messages_before + f.messages > 0.9 * l.messages OR f.bytes_before + f.bytes > 0.9 * l.bytes)";
    private static final String COUNT = "SELECT f.messages, f.bytes, c.n, c.bytes FROM queue_fill f, LATERAL ("
            + "SELECT count(*) AS n, COALESCE(sum(octet_length(m.content) "
            + "+ COALESCE(octet_length(m.properties), 0)), 0) AS bytes "
            + "FROM (SELECT content, properties FROM message WHERE queue_id = f.queue_id UNION ALL "
            + "SELECT content, properties FROM lease WHERE queue_id = f.queue_id) m) c WHERE f.queue_id = ?";
    private static final String TELL = "UPDATE queue_fill SET messages_before = ?, bytes_before = ?, counted = ?, "
            + "counts_from = now() + ? * interval '1 ms' WHERE queue_id = ?";

    private final DatabaseAddress address;
    private final OwnConnection connection;
    private final LimitDirectory directory;
    private final LengthLedger ledger;
    private final LimitCounters counters;
    private final Outage outage = new Outage(LOG, "counting queues with limits");
    private final Every pass = Every.startingNow(PERIOD);

    /** @param directory knows the queues */
    public LimitCounting(DatabaseAddress address, LimitDirectory directory, LengthLedger ledger,
            LimitCounters counters) {
        this.address = address;
        this.connection = new OwnConnection(address, OwnConnection.PATIENT, "SET enable_seqscan = off");
        this.directory = directory;
        this.ledger = ledger;
        this.counters = counters;
    }

    /** What a count found. */
    private record Count(long sent, long sentBytes, long messages, long bytes) {
    }

    @Override
    public String roleName() {
        return "limit-counts";
    }

    @Override
    public int doWork() {
        if (!pass.isDue(System.nanoTime()) || directory.bounded().isEmpty()) {
            return 0;
        }
        try {
            for (Map.Entry<Integer, Long> queue : connection.work(LimitCounting::needed).entrySet()) {
                count(queue.getKey(), queue.getValue());
            }
            outage.worked();
        } catch (SQLException e) {
            outage.failed(address.unusable(e).getMessage(), e);
        }
        return 0;
    }

    @Override
    public void onClose() {
        connection.close();
    }

    private static Map<Integer, Long> needed(Connection open) throws SQLException {
        Map<Integer, Long> needed = new HashMap<>();
        try (Statement statement = open.createStatement(); ResultSet rows = statement.executeQuery(NEEDED)) {
            while (rows.next()) {
                needed.put(rows.getInt(1), rows.getLong(2));
            }
        }
        return needed;
    }

    private void count(int queue, long marker) throws SQLException {
        long begun = System.nanoTime();
        Count count = connection.work(open -> count(open, queue));
        long restMillis = TimeUnit.NANOSECONDS.toMillis(REST * (System.nanoTime() - begun));
        if (count != null) {
            connection.work(open -> tell(open, queue, count, marker, Math.max(REST_MILLIS, restMillis)));
            drop(queue, count);
        }
    }

    private void drop(int queue, Count count) throws SQLException {
        QueueLimits limits = directory.of(queue);
        long surplus = count.messages - limits.messagesMax();
        long surplusBytes = count.bytes - limits.bytesMax();
        while (limits.drops() && (surplus > 0 || surplusBytes > 0)) {
            long most = Math.min(surplus, CHUNK);
            long bytes = Math.min(surplusBytes, CHUNK_BYTES);
            Changes changes = connection.transact(open -> {
                Changes made = new Changes(SharedLocks.beginStoringNothing(open));
                Rooms.drop(open, made, queue, most, bytes);
                return made;
            });
            if (changes.dropped() == 0) {
                return;
            }
            changes.committed(ledger, Arrivals.IGNORED);
            changes.count(counters);
            surplus -= changes.dropped();
            surplusBytes -= changes.droppedBytes();
        }
    }

    private static Count count(Connection open, int queue) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(COUNT)) {
            statement.setInt(1, queue);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? new Count(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)) : null;
            }
        }
    }

    private static int tell(Connection open, int queue, Count count, long marker, long restMillis)
            throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(TELL)) {
            statement.setLong(1, count.messages - count.sent);
            statement.setLong(2, count.bytes - count.sentBytes);
            statement.setLong(3, marker);
            statement.setLong(4, restMillis);
            statement.setInt(5, queue);
            return statement.executeUpdate();
        }
    }
}
