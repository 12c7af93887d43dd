package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.length.LengthLedger;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.logging.Logger;

/**
 * Clears taken messages sooner than PostgreSQL's autovacuum, which checks once a minute.
 *
 * <p>Until then a take at the beginning of a long queue walks over the rows of all messages taken before it. While any
 * transaction holds an old snapshot nothing can be cleared; then {@link LowWaterMarks} help. A table that takes longer
 * than {@link #LIMIT} is left to PostgreSQL.
 *
 * <p>A vacuum is one process, and sleeps for about three quarters of its time, as requests wait for the processors and
 * the disk that it uses.
 */
public final class Vacuum implements Agent {
    private static final Logger LOG = Logger.getLogger(Vacuum.class.getName());
    /** Divisor of the time: vacuums take at most this part of it. */
    private static final int REST = 5;
    /** Number of taken messages that justify a vacuum. */
    static final int WORTHWHILE = 5_000;
    /** Less than a broker that stops waits for its threads. */
    private static final Duration LIMIT = Duration.ofSeconds(8);
    /** After pages that cost so much, as PostgreSQL weighs them, it sleeps so long [ms]. */
    private static final String GENTLE = "SET vacuum_cost_limit = 200; SET vacuum_cost_delay = 1";
    /** The statement skips the table if another broker is vacuuming it. */
    private static final String SQL =
            "VACUUM (SKIP_LOCKED, INDEX_CLEANUP ON, TRUNCATE OFF, PROCESS_TOAST OFF, PARALLEL 0) message, lease";

    private final DatabaseAddress address;
    private final OwnConnection connection;
    private final Outage outage = new Outage(LOG, "the vacuum");
    private final LengthLedger ledger;
    private final LowWaterMarks bounds;
    private long done;
    private final Every look = Every.after(Duration.ofSeconds(1));

    /** @param ledger gives the number of taken messages */
    public Vacuum(DatabaseAddress address, LengthLedger ledger, LowWaterMarks bounds) {
        this.address = address;
        this.connection = new OwnConnection(address, LIMIT, GENTLE);
        this.ledger = ledger;
        this.bounds = bounds;
    }

    @Override
    public String roleName() {
        return "vacuum";
    }

    @Override
    public int doWork() {
        long start = System.nanoTime();
        if (look.isDue(start)) {
            if (isWorthwhile()) {
                done = ledger.taken();
                clear();
            }
            look.rest(start, System.nanoTime(), REST);
        }
        return 0;
    }

    boolean isWorthwhile() {
        return ledger.taken() - done >= WORTHWHILE && !bounds.isTracked();
    }

    void clear() {
        try {
            connection.work(Vacuum::clear);
            outage.worked();
        } catch (SQLException e) {
            outage.failed(SqlStates.isTimeout(e) ? "it takes longer than " + LIMIT.toSeconds()
                    + " s, so it is left to PostgreSQL" : address.unusable(e).getMessage(), e);
        }
    }

    private static Void clear(Connection open) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute(SQL);
        }
        return null;
    }

    @Override
    public void onClose() {
        connection.close();
    }
}
