package ch.ethz.mlmq.db;

import ch.ethz.mlmq.log.Agent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What has to be done now and then: leases that ran out, keys whose window is over, messages of deleted queues, and the
 * lengths of queues. Every broker of a database does it; they skip what another one is at.
 */
final class Housekeeping implements Agent {
    private static final Logger LOG = Logger.getLogger(Housekeeping.class.getName());
    private static final long LEASES_NANOS = 100_000_000;
    private static final long LENGTHS_NANOS = 1_000_000_000;
    private static final long CLEANING_NANOS = 5_000_000_000L;
    private static final int CHUNK = 1_000;
    /** Key of the lock of whoever writes lengths. */
    private static final long LENGTHS_LOCK = HotSql.LOCK + 1;

    private final OwnConnection connection;
    private final LeaseOperations leases;
    private final LengthLedger ledger;
    private final Arrivals arrivals;
    private final long dedupMillis;
    private final ForgottenClients forgotten;
    private long leasesAt;
    private long lengthsAt;
    private long cleaningAt;
    private volatile boolean recount;

    Housekeeping(DatabaseAddress address, LeaseOperations leases, LengthLedger ledger, Arrivals arrivals,
            Duration dedupWindow, ForgottenClients forgotten) {
        this.forgotten = forgotten;
        this.connection = new OwnConnection(address, "SET enable_seqscan = off");
        this.leases = leases;
        this.ledger = ledger;
        this.arrivals = arrivals;
        this.dedupMillis = dedupWindow.toMillis();
        long now = System.nanoTime();
        leasesAt = now;
        lengthsAt = now;
        cleaningAt = now;
    }

    /** A broker died that had not yet told all it knew of lengths: they are to be counted anew. */
    void recountSoon() {
        recount = true;
    }

    @Override
    public String roleName() {
        return "housekeeping";
    }

    @Override
    public int doWork() {
        long now = System.nanoTime();
        try {
            if (now - leasesAt >= 0) {
                leasesAt = now + LEASES_NANOS;
                expireLeases();
            }
            if (now - lengthsAt >= 0) {
                lengthsAt = now + LENGTHS_NANOS;
                tellLengths();
            }
            if (now - cleaningAt >= 0) {
                cleaningAt = now + CLEANING_NANOS;
                clean();
            }
        } catch (SQLException e) {
            LOG.log(Level.FINE, e, () -> "housekeeping has to wait: " + e.getMessage());
        }
        return 0;
    }

    @Override
    public void onClose() {
        try {
            tellLengths();
        } catch (SQLException e) {
            LOG.log(Level.WARNING, e, () -> "lengths of queues could not be told: " + e.getMessage());
        }
        connection.close();
    }

    private void expireLeases() throws SQLException {
        int expired;
        do {
            Transaction transaction = new Transaction();
            expired = connection.transact(open -> {
                transaction.begin(open);
                return leases.expire(open, transaction, CHUNK);
            });
            transaction.committed(ledger, arrivals);
        } while (expired == CHUNK);
    }

    private void tellLengths() throws SQLException {
        if (recount) {
            recount = false;
            try {
                connection.transact(Housekeeping::recount);
            } catch (SQLException e) {
                recount = true;
                throw e;
            }
        }
        LengthLedger.Sum told = connection.transact(open -> {
            lock(open, LENGTHS_LOCK);
            LengthLedger.Sum sum = ledger.sum(lastRecount(open));
            if (!sum.changes().isEmpty()) {
                add(open, sum.changes());
            }
            return sum;
        });
        ledger.forget(told);
    }

    private static void add(Connection open, Map<Integer, Long> changes) throws SQLException {
        Map<Integer, Long> ordered = new TreeMap<>(changes);
        try (PreparedStatement statement = open.prepareStatement("UPDATE queue_length l SET messages = messages + d.n "
                + "FROM unnest(?::int[], ?::bigint[]) AS d(queue_id, n) WHERE l.queue_id = d.queue_id")) {
            statement.setObject(1, ordered.keySet().stream().mapToInt(Integer::intValue).toArray());
            statement.setObject(2, ordered.values().stream().mapToLong(Long::longValue).toArray());
            statement.executeUpdate();
        }
    }

    private static long lastRecount(Connection open) throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery("SELECT xid FROM recount")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** With the lock on messages for itself, so that each transaction is either counted or comes after. */
    private static Void recount(Connection open) throws SQLException {
        lock(open, HotSql.LOCK);
        lock(open, LENGTHS_LOCK);
        try (Statement statement = open.createStatement()) {
            statement.execute("UPDATE recount SET xid = pg_current_xact_id()::text::bigint");
            statement.execute("DELETE FROM queue_length");
            statement.execute("INSERT INTO queue_length SELECT q.id, count(m.id) FROM queue q "
                    + "LEFT JOIN message m ON m.queue_id = q.id WHERE NOT q.deleted GROUP BY q.id");
        }
        LOG.info("queue lengths were counted anew");
        return null;
    }

    private void clean() throws SQLException {
        connection.work(open -> {
            try (PreparedStatement statement = open.prepareStatement("DELETE FROM dedup WHERE ctid = ANY (ARRAY("
                    + "SELECT ctid FROM dedup WHERE sent_at < now() - ? * interval '1 ms' LIMIT 10000 "
                    + "FOR UPDATE SKIP LOCKED))")) {
                statement.setLong(1, dedupMillis);
                return statement.executeUpdate();
            }
        });
        connection.transact(open -> {
            forgotten.remove(open);
            return null;
        });
        connection.work(open -> {
            try (Statement statement = open.createStatement()) {
                return clearDeletedQueues(statement);
            }
        });
    }

    /** Whoever stored a message before the queue was deleted has committed: it was waited for. */
    private static int clearDeletedQueues(Statement statement) throws SQLException {
        int removed;
        do {
            removed = statement.executeUpdate("DELETE FROM message WHERE ctid = ANY (ARRAY(SELECT m.ctid FROM queue q, "
                    + "LATERAL (SELECT ctid FROM message WHERE queue_id = q.id LIMIT 10000 FOR UPDATE SKIP LOCKED) m "
                    + "WHERE q.deleted))");
        } while (removed >= CHUNK);
        statement.executeUpdate("DELETE FROM lease USING queue q WHERE q.deleted AND lease.queue_id = q.id");
        statement.executeUpdate("DELETE FROM dedup USING queue q WHERE q.deleted AND dedup.queue_id = q.id");
        statement.executeUpdate("DELETE FROM queue_length l USING queue q WHERE q.deleted AND l.queue_id = q.id");
        return statement.executeUpdate("DELETE FROM queue q WHERE deleted "
                + "AND NOT EXISTS (SELECT FROM message m WHERE m.queue_id = q.id)");
    }

    private static void lock(Connection open, long key) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + key + ")");
        }
    }
}
