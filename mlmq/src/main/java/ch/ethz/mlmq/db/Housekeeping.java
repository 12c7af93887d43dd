package ch.ethz.mlmq.db;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;

/**
 * What has to be done now and then: leases that ran out, keys whose window is over, messages of deleted queues, and the
 * lengths of queues. Every broker of a database does it; they skip what another one is at.
 */
final class Housekeeping implements Agent {
    private static final Logger LOG = Logger.getLogger(Housekeeping.class.getName());
    private static final int CHUNK = 1_000;
    /** Key of the lock of whoever writes lengths. */
    static final long LENGTHS_LOCK = HotSql.LOCK + 1;

    private final DatabaseAddress address;
    private final OwnConnection connection;
    private final Outage outage = new Outage(LOG, "housekeeping");
    private final LeaseOperations leases;
    private final LengthLedger ledger;
    private final Arrivals arrivals;
    private final long dedupMillis;
    private final ForgottenClients forgotten;
    private final Every expiring = Every.startingNow(Duration.ofMillis(100));
    private final Every telling = Every.startingNow(Duration.ofSeconds(1));
    private final Every cleaning = Every.startingNow(Duration.ofSeconds(5));

    Housekeeping(DatabaseAddress address, LeaseOperations leases, LengthLedger ledger, Arrivals arrivals,
            Duration dedupWindow, ForgottenClients forgotten) {
        this.address = address;
        this.forgotten = forgotten;
        this.connection = new OwnConnection(address, OwnConnection.PATIENT, "SET enable_seqscan = off");
        this.leases = leases;
        this.ledger = ledger;
        this.arrivals = arrivals;
        this.dedupMillis = dedupWindow.toMillis();
    }

    @Override
    public String roleName() {
        return "housekeeping";
    }

    @Override
    public int doWork() {
        long now = System.nanoTime();
        try {
            if (expiring.isDue(now)) {
                expireLeases();
            }
            if (telling.isDue(now)) {
                tellLengths();
            }
            if (cleaning.isDue(now)) {
                clean();
            }
            outage.worked();
        } catch (SQLException e) {
            outage.failed(address.unusable(e).getMessage(), e);
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
        LengthLedger.Sum told = connection.transact(open -> {
            lock(open, LENGTHS_LOCK);
            LengthLedger.Sum sum = sum(open);
            write(open, "UPDATE queue_length l SET messages = l.messages + d.n, gained = l.gained + d.gained "
                    + "FROM unnest(?::int[], ?::bigint[], ?::bigint[]) AS d(queue_id, n, gained) "
                    + "WHERE l.queue_id = d.queue_id", sum.changes().keySet(),
                    sum.changes().values().stream().mapToLong(LengthLedger.Change::messages),
                    sum.changes().values().stream().mapToLong(LengthLedger.Change::gained));
            write(open, "INSERT INTO recount_change SELECT * FROM unnest(?::int[], ?::bigint[]) "
                    + "ON CONFLICT (queue_id) DO UPDATE SET messages = recount_change.messages + excluded.messages",
                    sum.sinceBegun().keySet(), sum.sinceBegun().values().stream().mapToLong(Long::longValue));
            return sum;
        });
        ledger.forget(told);
    }

    private LengthLedger.Sum sum(Connection open) throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery("SELECT xid, begun_xid FROM recount")) {
            rows.next();
            return ledger.sum(rows.getLong(1), rows.getLong(2));
        }
    }

    private static void write(Connection open, String sql, Set<Integer> queues, LongStream... columns)
            throws SQLException {
        if (queues.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = open.prepareStatement(sql)) {
            int at = 1;
            statement.setObject(at++, queues.stream().mapToInt(Integer::intValue).toArray());
            for (LongStream column : columns) {
                statement.setObject(at++, column.toArray());
            }
            statement.executeUpdate();
        }
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
                statement.executeUpdate("DELETE FROM put_back WHERE done_at < now() - interval '1 day'");
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

    static void lock(Connection open, long key) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + key + ")");
        }
    }
}
