package ch.ethz.mlmq.db;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Outage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Logger;

/**
 * Counts the messages of all queues again, where a broker died before it could tell what it knew of their lengths.
 *
 * <p>It counts as of one moment, in one snapshot, block by block of the table, so that no statement takes long however
 * many messages there are. Only for that moment it holds the lock on messages for itself: every transaction has ended
 * before it or begins after it. What brokers tell meanwhile is also noted beside, and added at the end. Where another
 * broker begins to count, this one leaves it to that.
 */
final class Recount implements Agent {
    private static final Logger LOG = Logger.getLogger(Recount.class.getName());
    /** Blocks of the table that a step counts: some 16 MB. */
    private static final int STEP_BLOCKS = 2_000;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final long AFTER_FAILURE_NANOS = 1_000_000_000;

    private final DatabaseAddress address;
    private final int stepBlocks;
    private final OwnConnection snapshot;
    private final OwnConnection control;
    private final Outage outage = new Outage(LOG, "counting the messages of all queues");
    private final Map<Integer, Long> counted = new HashMap<>();
    private long begun;
    private long blocks;
    private long nextBlock;
    private long notBefore = System.nanoTime();
    private volatile boolean wanted;

    Recount(DatabaseAddress address) {
        this(address, STEP_BLOCKS);
    }

    Recount(DatabaseAddress address, int stepBlocks) {
        this.address = address;
        this.stepBlocks = stepBlocks;
        this.snapshot = new OwnConnection(address, LIMIT, "");
        // It waits for running batches, and new ones wait for it: not for long.
        this.control = new OwnConnection(address, LIMIT, "SET lock_timeout = '2s'");
    }

    /** A broker died: lengths are to be counted again. Called by any thread. */
    void soon() {
        wanted = true;
    }

    boolean isCounting() {
        return begun != 0;
    }

    @Override
    public String roleName() {
        return "recount";
    }

    /** One step. */
    @Override
    public int doWork() {
        if (!wanted && !isCounting() || System.nanoTime() - notBefore < 0) {
            return 0;
        }
        try {
            if (!isCounting()) {
                wanted = false;
                begin();
            } else if (nextBlock < blocks) {
                snapshot.work(this::count);
            } else {
                finish();
            }
            outage.worked();
            return 1;
        } catch (SQLException e) {
            wanted = true;
            abandon();
            notBefore = System.nanoTime() + AFTER_FAILURE_NANOS;
            outage.failed(address.unusable(e).getMessage(), e);
            return 0;
        }
    }

    @Override
    public void onClose() {
        abandon();
        control.close();
    }

    private void begin() throws SQLException {
        counted.clear();
        nextBlock = 0;
        // Connected before anybody has to wait for it.
        snapshot.work(open -> null);
        begun = control.transact(open -> {
            Housekeeping.lock(open, HotSql.LOCK);
            Housekeeping.lock(open, Housekeeping.LENGTHS_LOCK);
            blocks = snapshot.work(Recount::blocksOfASnapshot);
            try (Statement statement = open.createStatement()) {
                statement.execute("DELETE FROM recount_change");
                try (ResultSet rows = statement.executeQuery(
                        "UPDATE recount SET begun_xid = pg_current_xact_id()::text::bigint RETURNING begun_xid")) {
                    rows.next();
                    return rows.getLong(1);
                }
            }
        });
    }

    private static long blocksOfASnapshot(Connection open) throws SQLException {
        open.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        open.setAutoCommit(false);
        try (Statement statement = open.createStatement(); ResultSet rows = statement.executeQuery(
                "SELECT pg_relation_size('message') / current_setting('block_size')::int")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private Void count(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement("SELECT queue_id, count(*) FROM message "
                + "WHERE ctid >= ?::tid AND ctid < ?::tid GROUP BY queue_id")) {
            statement.setString(1, "(" + nextBlock + ",0)");
            statement.setString(2, "(" + (nextBlock + stepBlocks) + ",0)");
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    counted.merge(rows.getInt(1), rows.getLong(2), Long::sum);
                }
            }
        }
        nextBlock += stepBlocks;
        return null;
    }

    private void finish() throws SQLException {
        boolean mine = control.transact(this::write);
        abandon();
        LOG.info(() -> mine ? "the messages of all queues were counted again"
                : "another broker counts the messages of all queues");
    }

    /** @return false where another broker has begun to count since */
    private boolean write(Connection open) throws SQLException {
        Housekeeping.lock(open, Housekeeping.LENGTHS_LOCK);
        try (PreparedStatement ended = open.prepareStatement(
                "UPDATE recount SET xid = begun_xid, begun_xid = 0 WHERE begun_xid = ?")) {
            ended.setLong(1, begun);
            if (ended.executeUpdate() == 0) {
                return false;
            }
        }
        try (PreparedStatement lengths = open.prepareStatement("INSERT INTO queue_length "
                + "SELECT q.id, COALESCE(n.messages, 0) + COALESCE(d.messages, 0) FROM queue q "
                + "LEFT JOIN unnest(?::int[], ?::bigint[]) AS n(queue_id, messages) ON n.queue_id = q.id "
                + "LEFT JOIN recount_change d ON d.queue_id = q.id WHERE NOT q.deleted "
                + "ON CONFLICT (queue_id) DO UPDATE SET messages = excluded.messages");
                Statement statement = open.createStatement()) {
            lengths.setObject(1, counted.keySet().stream().mapToInt(Integer::intValue).toArray());
            lengths.setObject(2, counted.values().stream().mapToLong(Long::longValue).toArray());
            lengths.executeUpdate();
            statement.execute("DELETE FROM recount_change");
        }
        return true;
    }

    /** Gives the snapshot back. */
    private void abandon() {
        begun = 0;
        snapshot.close();
    }
}
