package ch.ethz.mlmq.storage.postgresql.upkeep;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Logger;

/**
 * Removes what is no longer needed: keys whose window has ended, proofs of requeues, ends of messages that are gone,
 * deleted queues with their messages, temporary clients, and clients that were offline for long. Every broker of a
 * database does so, and skips rows that another one has locked. A failed step does not prevent the others.
 */
public final class Cleaning implements Agent {
    private static final Logger LOG = Logger.getLogger(Cleaning.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(5);
    /** Longest time of a step; the rest follows in the next period. */
    private static final long STEP_NANOS = 2_000_000_000;
    private static final int CHUNK = 10_000;
    private static final String EXPIRED_KEYS = "DELETE FROM dedup WHERE ctid = ANY (ARRAY(SELECT ctid FROM dedup "
            + "WHERE expires_at < now() ORDER BY expires_at LIMIT " + CHUNK + " FOR UPDATE SKIP LOCKED))";
    private static final String OLD_PROOFS = "DELETE FROM put_back WHERE done_at < now() - interval '1 day'";
    private static final String OF_DELETED_QUEUES = "DELETE FROM %1$s WHERE ctid = ANY (ARRAY("
            + "SELECT x.ctid FROM queue q, LATERAL (SELECT t.ctid FROM %1$s t WHERE t.queue_id = q.id "
            + "LIMIT " + CHUNK + " FOR UPDATE SKIP LOCKED) x WHERE q.deleted LIMIT " + CHUNK + "))";
    /**
     * Finds deleted queues. Transactions that began earlier may not have seen the deletion, nor do those that another
     * server of the database has numbered.
     */
    private static final String SEEN_AS_DELETED = "UPDATE queue SET stored_before = "
            + "pg_snapshot_xmax(pg_current_snapshot()) WHERE deleted AND (stored_before IS NULL "
            + "OR stored_before > pg_snapshot_xmax(pg_current_snapshot()))";
    private static final String LENGTHS = "DELETE FROM queue_length l USING queue q "
            + "WHERE q.deleted AND l.queue_id = q.id";
    private static final String DELETED_QUEUES = "DELETE FROM queue q WHERE q.deleted "
            + "AND q.stored_before <= pg_snapshot_xmin(pg_current_snapshot()) "
            + "AND NOT EXISTS (SELECT FROM message m WHERE m.queue_id = q.id) "
            + "AND NOT EXISTS (SELECT FROM lease l WHERE l.queue_id = q.id)";

    private final DatabaseAddress address;
    private final OwnConnection connection;
    private final Map<OwnConnection.Work<Integer>, Outage> steps = new LinkedHashMap<>();
    private final Every period = Every.startingNow(PERIOD);

    /** @param clientKeep time for which an offline client is kept; zero: for ever */
    public Cleaning(DatabaseAddress address, Duration clientKeep) {
        this.address = address;
        this.connection = new OwnConnection(address, OwnConnection.PATIENT, "SET enable_seqscan = off");
        step("removing keys of messages", open -> inChunks(open, EXPIRED_KEYS));
        step("removing proofs of requeues", open -> execute(open, OLD_PROOFS));
        step("removing ends of messages that are gone", new EndsOfGoneMessages(EndsOfGoneMessages.PERIOD)::remove);
        step("ending subscriptions", new SubscriptionsCleaning(clientKeep)::remove);
        step("removing deleted queues", Cleaning::removeDeletedQueues);
        step("removing temporary clients", new TemporaryClientsCleaning(clientKeep)::remove);
        step("removing clients that were offline for long", new ForgottenClients(clientKeep)::remove);
    }

    private void step(String subject, OwnConnection.Work<Integer> work) {
        steps.put(work, new Outage(LOG, subject));
    }

    @Override
    public String roleName() {
        return "cleaning";
    }

    @Override
    public int doWork() {
        if (period.isDue(System.nanoTime())) {
            steps.forEach(this::attempt);
        }
        return 0;
    }

    private void attempt(OwnConnection.Work<Integer> work, Outage outage) {
        try {
            connection.work(work);
            outage.worked();
        } catch (SQLException e) {
            outage.failed(address.unusable(e).getMessage(), e);
        }
    }

    @Override
    public void onClose() {
        connection.close();
    }

    private static int removeDeletedQueues(Connection open) throws SQLException {
        execute(open, SEEN_AS_DELETED);
        for (String table : new String[] {"message", "lease", "dedup"}) {
            inChunks(open, String.format(OF_DELETED_QUEUES, table));
        }
        execute(open, LENGTHS);
        return execute(open, DELETED_QUEUES);
    }

    private static int inChunks(Connection open, String sql) throws SQLException {
        long deadline = System.nanoTime() + STEP_NANOS;
        int all = 0;
        int removed;
        do {
            removed = execute(open, sql);
            all += removed;
        } while (removed >= CHUNK / 2 && System.nanoTime() - deadline < 0);
        return all;
    }

    private static int execute(Connection open, String sql) throws SQLException {
        try (Statement statement = open.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }
}
