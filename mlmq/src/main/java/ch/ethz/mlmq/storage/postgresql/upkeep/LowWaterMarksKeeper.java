package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks.Range;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Logger;

/**
 * Moves the {@link LowWaterMarks} of a broker's queues while any transaction holds an old snapshot.
 *
 * <p>Ids are drawn in order and become visible in any order. So this first notes what was taken so far, and then which
 * transactions are storing messages at that moment. Once all of those have ended, all ids up to there are visible or
 * never will be, because a transaction that draws an id holds a lock on the table until it ends. Then a look between
 * the old bound and the noted id finds the first remaining message, or none. Now and then another look begins at the
 * start, for messages stored by a program that does not follow these rules.
 */
public final class LowWaterMarksKeeper implements Agent {
    private static final Logger LOG = Logger.getLogger(LowWaterMarksKeeper.class.getName());
    /** Divisor of the time: looks take at most this part of it. */
    private static final int REST = 20;
    private static final int CHUNK = 500;
    /** Transactions begun since the oldest snapshot was taken, from which on bounds are worth their cost. */
    private static final int OLD = 2_000;
    private static final int YOUNG = 1_000;

    /** Measures the age of the oldest snapshot; a vacuum's own snapshot does not count, as it keeps no rows. */
    private static final String SNAPSHOT_AGE = "SELECT GREATEST(0, "
            + "(SELECT max(GREATEST(age(backend_xmin), age(backend_xid))) FROM pg_stat_activity "
            + "WHERE pid <> pg_backend_pid() AND (datname = current_database() OR datname IS NULL) "
            + "AND pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)), "
            + "(SELECT max(age(xmin)) FROM pg_replication_slots), "
            + "(SELECT max(age(transaction)) FROM pg_prepared_xacts WHERE database = current_database()))";
    private static final String STORING = "SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation' "
            + "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
            + "AND relation = 'message'::regclass AND mode = 'RowExclusiveLock'";
    private static final String FIRST_LEFT = "SELECT r.at, (SELECT m.id FROM message m WHERE m.queue_id = r.queue_id "
            + "AND m.receiver_id = 0 AND m.prio = r.prio AND m.id > r.after AND m.id <= r.up_to ORDER BY m.id LIMIT 1) "
            + "FROM unnest(?::int[], ?::int2[], ?::int8[], ?::int8[]) WITH ORDINALITY "
            + "AS r(queue_id, prio, after, up_to, at)";

    private final LowWaterMarks bounds;
    private final DatabaseAddress address;
    private final OwnConnection connection;
    private final Outage outage = new Outage(LOG, "moving the lower bounds");
    private List<Range> noted = List.of();
    private Set<String> storedMeanwhile = Set.of();
    private long generation;
    private final Every look = Every.startingNow(Duration.ofSeconds(1));
    /**
     * Is due more often while takes are recorded, because a take walks over all messages taken since the bounds moved.
     */
    private final Every trackedLook = Every.startingNow(Duration.ofMillis(100));
    private final Every lookFromStart = Every.after(Duration.ofMinutes(1));

    /** @param bounds that it moves */
    public LowWaterMarksKeeper(DatabaseAddress address, LowWaterMarks bounds) {
        this.address = address;
        this.connection = new OwnConnection(address, OwnConnection.PATIENT,
                "SET enable_seqscan = off; SET enable_bitmapscan = off; "
                + "SET enable_sort = off; SET enable_hashjoin = off; SET enable_mergejoin = off");
        this.bounds = bounds;
    }

    /** @return the bounds that it moves */
    public LowWaterMarks bounds() {
        return bounds;
    }

    @Override
    public String roleName() {
        return "bounds";
    }

    @Override
    public int doWork() {
        long now = System.nanoTime();
        if ((bounds.isTracked() ? trackedLook : look).isDue(now)) {
            attempt(this::keep);
            (bounds.isTracked() ? trackedLook : look).rest(now, System.nanoTime(), REST);
            lookFromStartWhenDue();
        }
        return 0;
    }

    /**
     * Has its own pauses, because the look takes longer the more was taken, and bounds that rested as long would fall
     * behind.
     */
    private void lookFromStartWhenDue() {
        long now = System.nanoTime();
        if (bounds.isTracked() && lookFromStart.isDue(now)) {
            attempt(this::lookFromStart);
            lookFromStart.rest(now, System.nanoTime(), REST);
        }
    }

    private void attempt(OwnConnection.Work<Void> work) {
        try {
            connection.work(work);
            outage.worked();
        } catch (SQLException e) {
            if (SqlStates.isServerAway(e)) {
                // If it has crashed, it may have forgotten that messages below the bounds were taken.
                bounds.forget();
                noted = List.of();
            }
            outage.failed(address.unusable(e).getMessage(), e);
        }
    }

    @Override
    public void onClose() {
        bounds.forget();
        connection.close();
    }

    private Void keep(Connection open) throws SQLException {
        long age = snapshotAge(open);
        if (bounds.isTracked() && age < YOUNG) {
            bounds.forget();
            noted = List.of();
            LOG.info("no old snapshot is held any more: takes begin at the queues' beginnings");
        } else if (!bounds.isTracked() && age > OLD) {
            bounds.track();
            lookFromStart.restart(System.nanoTime());
            LOG.info(() -> "a snapshot is held that is " + age + " transactions old: takes begin behind bounds");
        } else if (bounds.isTracked()) {
            advance(open);
        }
        return null;
    }

    private static long snapshotAge(Connection open) throws SQLException {
        try (Statement statement = open.createStatement(); ResultSet rows = statement.executeQuery(SNAPSHOT_AGE)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Does one step: moves the bounds to the noted ids if their time has come, and notes what was taken since. */
    void advance(Connection open) throws SQLException {
        List<Range> taken = bounds.open();
        // This is read before the storing transactions, as a transaction that requeues messages stores them first.
        long stands = returns(open);
        Set<String> storing = storing(open);
        if (stands != generation) {
            generation = stands;
            bounds.startAgain(generation);
            note(taken.stream().map(Range::fromStart).toList(), storing);
        } else if (Collections.disjoint(storing, storedMeanwhile)) {
            look(open, noted);
            note(taken, storing);
        }
    }

    Void lookFromStart(Connection open) throws SQLException {
        look(open, bounds.closed());
        return null;
    }

    private void note(List<Range> ranges, Set<String> storing) {
        noted = ranges;
        storedMeanwhile = storing;
    }

    private static long returns(Connection open) throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery("SELECT last_value FROM message_return")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static Set<String> storing(Connection open) throws SQLException {
        Set<String> transactions = new HashSet<>();
        try (Statement statement = open.createStatement(); ResultSet rows = statement.executeQuery(STORING)) {
            while (rows.next()) {
                transactions.add(rows.getString(1));
            }
        }
        return transactions;
    }

    private void look(Connection open, List<Range> ranges) throws SQLException {
        for (int from = 0; from < ranges.size(); from += CHUNK) {
            lookAtSome(open, ranges.subList(from, Math.min(from + CHUNK, ranges.size())));
        }
    }

    private void lookAtSome(Connection open, List<Range> ranges) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(FIRST_LEFT)) {
            statement.setObject(1, ranges.stream().mapToInt(Range::queue).toArray());
            short[] priorities = new short[ranges.size()];
            for (int i = 0; i < priorities.length; i++) {
                priorities[i] = (short) ranges.get(i).priority();
            }
            statement.setObject(2, priorities);
            statement.setObject(3, ranges.stream().mapToLong(Range::after).toArray());
            statement.setObject(4, ranges.stream().mapToLong(Range::upTo).toArray());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Range range = ranges.get((int) rows.getLong(1) - 1);
                    long left = rows.getLong(2);
                    bounds.verified(range, left == 0 ? range.upTo() : left - 1);
                }
            }
        }
    }
}
