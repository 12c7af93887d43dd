package ch.ethz.mlmq.storage.postgresql.length;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Writes the changes of queues' lengths to the database once a second, and checks whether a count is needed.
 *
 * <p>The row of {@code recount} decides which changes count. It is read first, without a lock; the sum is then written
 * in one round trip, if the row still has the generation that was read.
 */
public final class Lengths implements Agent {
    private static final Logger LOG = Logger.getLogger(Lengths.class.getName());
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final String STATE = "SELECT generation, counted::text, begun::text, "
            + "announced_at IS NOT NULL AND announced_at > now() - interval '10 s', announced_at IS NOT NULL, "
            + "needed OR begun IS NOT NULL AND NOT EXISTS (SELECT FROM broker WHERE id = counter) "
            // In a database restored from another server, transactions have other numbers.
            + "OR pg_snapshot_xmax(counted) > pg_snapshot_xmax(pg_current_snapshot()) FROM recount";
    private static final String TELL = "WITH same AS MATERIALIZED (SELECT FROM recount "
            + "WHERE generation = ? FOR UPDATE), told AS (UPDATE queue_length l "
            + "SET messages = l.messages + d.n, gained = l.gained + d.gained "
            + "FROM same, unnest(?::int[], ?::bigint[], ?::bigint[]) AS d(queue_id, n, gained) "
            + "WHERE l.queue_id = d.queue_id), "
            + "since AS (INSERT INTO recount_change SELECT c.* FROM same, unnest(?::int[], ?::bigint[]) AS c "
            + "ON CONFLICT (queue_id) DO UPDATE SET messages = recount_change.messages + excluded.messages) "
            + "SELECT count(*) FROM same";
    /** Withdraws the announcement of a count whose broker has died. */
    private static final String WITHDRAW = "UPDATE recount SET announced_at = NULL, needed = true, "
            + "generation = generation + 1 WHERE generation = ?";

    private final DatabaseAddress address;
    private final OwnConnection connection;
    private final LengthLedger ledger;
    private final Runnable countNeeded;
    private final Outage outage = new Outage(LOG, "writing the lengths of queues");
    private final Every telling = Every.startingNow(Duration.ofSeconds(1));

    /** @param countNeeded run if messages must be counted, and no broker does so */
    public Lengths(DatabaseAddress address, LengthLedger ledger, Runnable countNeeded) {
        this.address = address;
        this.connection = new OwnConnection(address, LIMIT, "SET enable_hashjoin = off; SET enable_mergejoin = off");
        this.ledger = ledger;
        this.countNeeded = countNeeded;
    }

    @Override
    public String roleName() {
        return "lengths";
    }

    @Override
    public int doWork() {
        if (telling.isDue(System.nanoTime())) {
            try {
                connection.work(this::tell);
                outage.worked();
            } catch (SQLException e) {
                countAfterCrash(e);
                outage.failed(address.unusable(e).getMessage(), e);
            }
        }
        return 0;
    }

    @Override
    public void onClose() {
        try {
            connection.work(this::tell);
        } catch (SQLException e) {
            LOG.log(Level.WARNING, e, () -> "lengths of queues could not be written: " + e.getMessage());
        }
        connection.close();
    }

    /** Repeats the attempt once if the row was changed meanwhile; then it waits for the next second. */
    private Void tell(Connection open) throws SQLException {
        if (!isTold(open)) {
            isTold(open);
        }
        return null;
    }

    /** @return true if nothing is left to write, or it cannot be written now */
    private boolean isTold(Connection open) throws SQLException {
        long generation;
        LengthLedger.Sum sum;
        try (Statement statement = open.createStatement(); ResultSet row = statement.executeQuery(STATE)) {
            row.next();
            generation = row.getLong(1);
            if (row.getBoolean(4)) {
                return true;
            }
            if (row.getBoolean(5)) {
                withdraw(open, generation);
                return false;
            }
            if (row.getBoolean(6)) {
                countNeeded.run();
            }
            sum = ledger.sum(Snapshot.parse(row.getString(2)), Snapshot.parse(row.getString(3)));
        }
        if (!sum.isEmpty() && !tell(open, generation, sum)) {
            return false;
        }
        ledger.forget();
        if (!sum.exact()) {
            countNeeded.run();
        }
        return true;
    }

    /**
     * A server that crashes forgets commits that did not wait for the disk, and gives their numbers to other
     * transactions. Nobody knows whether the last changes were written.
     */
    private void countAfterCrash(SQLException failure) {
        if (SqlStates.isServerAway(failure)) {
            ledger.clear();
            countNeeded.run();
        }
    }

    private static boolean tell(Connection open, long generation, LengthLedger.Sum sum) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(TELL)) {
            statement.setLong(1, generation);
            statement.setObject(2, sum.changes().keySet().stream().mapToInt(Integer::intValue).toArray());
            statement.setObject(3, sum.changes().values().stream().mapToLong(LengthLedger.Change::messages).toArray());
            statement.setObject(4, sum.changes().values().stream().mapToLong(LengthLedger.Change::gained).toArray());
            statement.setObject(5, sum.sinceBegun().keySet().stream().mapToInt(Integer::intValue).toArray());
            statement.setObject(6, sum.sinceBegun().values().stream().mapToLong(Long::longValue).toArray());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1) == 1;
            }
        }
    }

    private static void withdraw(Connection open, long generation) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(WITHDRAW)) {
            statement.setLong(1, generation);
            statement.executeUpdate();
        }
    }
}
