package ch.ethz.mlmq.storage.postgresql.length;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import ch.ethz.mlmq.storage.postgresql.membership.BrokerIdentity;
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
 * Counts the messages of all queues again if a broker died before it wrote its changes of their lengths.
 *
 * <p>It counts in one snapshot, block by block of the table, so that no statement takes long however many messages
 * there are, and nothing waits for it. Brokers use that snapshot to decide which of their transactions were counted. So
 * the count is announced first, and no broker writes changes until the snapshot exists. Changes written during the
 * count are also noted separately, and added at the end. If another broker has begun to count, this one leaves the
 * count to it.
 */
public final class Recount implements Agent {
    private static final Logger LOG = Logger.getLogger(Recount.class.getName());
    /** Blocks of the table that a step counts: about 16 MB. */
    private static final int STEP_BLOCKS = 2_000;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final long AFTER_FAILURE_NANOS = 1_000_000_000;
    private static final String ANNOUNCE = "UPDATE recount SET announced_at = now(), generation = generation + 1 "
            + "WHERE announced_at IS NULL OR announced_at < now() - interval '10 s' RETURNING generation";
    private static final String BEGIN = "WITH begun AS (UPDATE recount SET begun = ?::pg_snapshot, counter = ?, "
            + "announced_at = NULL, needed = false, generation = generation + 1 WHERE generation = ? "
            + "RETURNING single), gone AS (DELETE FROM recount_change USING begun) SELECT count(*) FROM begun";
    /**
     * Locks the row in a statement of its own, so that the next statement reads what earlier holders of the lock have
     * written.
     */
    private static final String HOLD = "SELECT FROM recount FOR UPDATE; ";
    private static final String FINISH = HOLD + "WITH mine AS (UPDATE recount SET counted = begun, begun = NULL, "
            + "counter = NULL, generation = generation + 1 WHERE begun::text = ? RETURNING single), "
            + "lengths AS (INSERT INTO queue_length SELECT q.id, COALESCE(n.messages, 0) + COALESCE(d.messages, 0) "
            + "FROM mine, queue q LEFT JOIN unnest(?::int[], ?::bigint[]) AS n(queue_id, messages) "
            + "ON n.queue_id = q.id "
            + "LEFT JOIN recount_change d ON d.queue_id = q.id WHERE NOT q.deleted "
            + "ON CONFLICT (queue_id) DO UPDATE SET messages = excluded.messages), "
            + "gone AS (DELETE FROM recount_change USING mine) SELECT count(*) FROM mine";

    private final DatabaseAddress address;
    private final BrokerIdentity identity;
    private final int stepBlocks;
    private final OwnConnection snapshot;
    private final OwnConnection control;
    private final Outage outage = new Outage(LOG, "counting the messages of all queues");
    private final Map<Integer, Long> counted = new HashMap<>();
    private String begun;
    private long blocks;
    private long nextBlock;
    private long notBefore = System.nanoTime();
    private volatile boolean wanted;

    /** @param identity of the broker that counts */
    public Recount(DatabaseAddress address, BrokerIdentity identity) {
        this(address, identity, STEP_BLOCKS);
    }

    Recount(DatabaseAddress address, BrokerIdentity identity, int stepBlocks) {
        this.address = address;
        this.identity = identity;
        this.stepBlocks = stepBlocks;
        this.snapshot = new OwnConnection(address, LIMIT, "SET idle_in_transaction_session_timeout = '10s'");
        this.control = new OwnConnection(address, LIMIT, "");
    }

    /** Requests a new count. Any thread may call this. */
    public void soon() {
        wanted = true;
    }

    boolean isCounting() {
        return begun != null;
    }

    @Override
    public String roleName() {
        return "recount";
    }

    /** Does one step. */
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

    /** Gives up; the first broker that sees this one gone begins the unfinished count again. */
    @Override
    public void onClose() {
        abandon();
        control.close();
    }

    private void begin() throws SQLException {
        long generation = control.work(Recount::announce);
        if (generation == 0) {
            LOG.fine("another broker is about to count the messages of all queues");
            return;
        }
        counted.clear();
        nextBlock = 0;
        String taken = snapshot.work(this::take);
        if (control.work(open -> begin(open, taken, generation))) {
            begun = taken;
        } else {
            abandon();
        }
    }

    private static long announce(Connection open) throws SQLException {
        try (Statement statement = open.createStatement(); ResultSet rows = statement.executeQuery(ANNOUNCE)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    /** Takes the snapshot, and keeps it open. */
    private String take(Connection open) throws SQLException {
        open.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        open.setAutoCommit(false);
        try (Statement statement = open.createStatement(); ResultSet rows = statement.executeQuery(
                "SELECT pg_current_snapshot()::text, "
                        + "pg_relation_size('message') / current_setting('block_size')::int")) {
            rows.next();
            blocks = rows.getLong(2);
            return rows.getString(1);
        }
    }

    private boolean begin(Connection open, String taken, long generation) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(BEGIN)) {
            statement.setString(1, taken);
            statement.setInt(2, identity.id());
            statement.setLong(3, generation);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1) == 1;
            }
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
        boolean mine = control.work(this::finish);
        abandon();
        LOG.info(() -> mine ? "the messages of all queues were counted again"
                : "another broker counts the messages of all queues");
    }

    /** @return false if another broker has begun to count since */
    private boolean finish(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(FINISH)) {
            statement.setString(1, begun);
            statement.setObject(2, counted.keySet().stream().mapToInt(Integer::intValue).toArray());
            statement.setObject(3, counted.values().stream().mapToLong(Long::longValue).toArray());
            statement.execute();
            statement.getMoreResults();
            try (ResultSet rows = statement.getResultSet()) {
                rows.next();
                return rows.getInt(1) == 1;
            }
        }
    }

    /** Releases the snapshot. */
    private void abandon() {
        begun = null;
        snapshot.close();
    }
}
