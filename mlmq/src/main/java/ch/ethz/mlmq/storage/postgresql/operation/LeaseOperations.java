package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Answers;
import ch.ethz.mlmq.storage.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Operations on leased messages: acknowledge, extend, release. */
public final class LeaseOperations {
    /** A window that contains the end of every lease. */
    public static final Duration EVER = Duration.ofDays(36_500);
    /**
     * A lease that has not ended. The difference keeps PostgreSQL from looking for leases by their end, where its
     * statistics are of a moment in which all had ended: each acknowledgement would read all leases.
     */
    public static final String HELD = "until - now() > interval '0'";
    private static final String MINE = " FROM lease WHERE message_id = ? AND token = ? AND " + HELD + " ";
    /** Selects the leases of two arrays that have not ended. It locks them in the order of the arrays. */
    public static final String MANY = " message_id = ANY (ARRAY(SELECT mine.message_id "
            + "FROM unnest(?::bigint[], ?::bigint[]) AS named(message_id, token), LATERAL (SELECT l.message_id "
            + "FROM lease l WHERE l.message_id = named.message_id AND l.token = named.token AND " + HELD + " "
            + "FOR UPDATE) mine)) ";
    /** Selects those of them that no other transaction has locked. */
    private static final String MANY_UNLOCKED = MANY.replace("FOR UPDATE", "FOR UPDATE SKIP LOCKED");
    private static final String REMAINING = "SELECT l.message_id, l.token "
            + "FROM unnest(?::bigint[], ?::bigint[]) AS named(message_id, token) "
            + "JOIN lease l USING (message_id, token) WHERE " + HELD;
    /**
     * A message whose queue is gone goes with it; one delivered too often goes to the dead-letter queue. One that was
     * delivered waits if its queue has a backoff, leased by nobody.
     */
    private static final String BACK = "WITH back AS (DELETE %s RETURNING *), ended AS ("
            + "SELECT back.*, q.owner_id, back.deliveries >= COALESCE(r.attempts, ?) AS dead, "
            + "CASE WHEN back.token <> 0 THEN LEAST(r.backoff_ms * 2.0 ^ LEAST(back.deliveries - 1, 32), "
            + "r.backoff_max_ms) END AS wait "
            + "FROM back JOIN queue q ON q.id = back.queue_id AND NOT q.deleted "
            + "LEFT JOIN queue_limit r ON r.queue_id = back.queue_id), placed AS ("
            + "SELECT ended.*, CASE WHEN dead THEN dead_letter_queue(queue_id) ELSE queue_id END AS target FROM ended "
            + "WHERE dead OR wait IS NULL)";
    private static final String STORED = ", stored AS (INSERT INTO message "
            + "(id, context, sent_ms, queue_id, receiver_id, sender_id, prio, deliveries, content, properties) "
            + "SELECT message_id, context, sent_ms, target, receiver_id, sender_id, prio, deliveries, content, "
            + "properties FROM placed), waiting AS (INSERT INTO lease (message_id, context, sent_ms, queue_id, "
            + "receiver_id, sender_id, prio, deliveries, content, properties, token, until) SELECT message_id, "
            + "context, sent_ms, queue_id, receiver_id, sender_id, prio, deliveries, content, properties, 0, "
            + "now() + wait * interval '1 ms' FROM ended WHERE NOT dead AND wait IS NOT NULL) ";
    /** Messages of a personal queue are for its owner, who is also that of its dead letters. */
    private static final String SELECT_STORED =
            "SELECT target, CASE owner_id WHEN 0 THEN receiver_id ELSE owner_id END, context";
    private static final String REQUEUE = BACK + STORED + SELECT_STORED + " FROM placed";
    /** Returns first the released leases, with a queue of 0, then the requeued messages. */
    private static final String REQUEUE_MANY = String.format(BACK, "FROM lease WHERE" + MANY) + STORED
            + "SELECT 0, 0, 0::bigint, message_id, token FROM back UNION ALL " + SELECT_STORED + ", 0, 0 FROM placed";

    private final int deliveriesMax;

    /** @param deliveriesMax number of deliveries after which a message goes to the dead-letter queue */
    public LeaseOperations(int deliveriesMax) {
        this.deliveriesMax = deliveriesMax;
    }

    Response acknowledge(Connection connection, Request.Acknowledge acknowledge) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("DELETE" + MINE)) {
            statement.setLong(1, acknowledge.message());
            statement.setLong(2, acknowledge.leaseToken());
            return doneIf(statement.executeUpdate() == 1, acknowledge.message());
        }
    }

    Response extend(Connection connection, Request.Extend extend) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE lease SET until = now() + ? * interval '1 ms' "
                        + "WHERE message_id = ? AND token = ? AND " + HELD)) {
            statement.setInt(1, extend.leaseMillis());
            statement.setLong(2, extend.message());
            statement.setLong(3, extend.leaseToken());
            return doneIf(statement.executeUpdate() == 1, extend.message());
        }
    }

    Response release(Connection connection, Changes changes, Request.Release release) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT" + MINE + "FOR UPDATE")) {
            statement.setLong(1, release.message());
            statement.setLong(2, release.leaseToken());
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return Failures.unknownLease(release.message());
                }
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(String.format(REQUEUE, MINE))) {
            statement.setLong(1, release.message());
            statement.setLong(2, release.leaseToken());
            requeue(statement, 3, changes);
        }
        return Response.Done.INSTANCE;
    }

    Response acknowledge(Connection connection, Request.AcknowledgeMessages acknowledge) throws SQLException {
        return Answers.ofLeases(acknowledge, changed(connection, "DELETE FROM lease WHERE" + MANY
                + "RETURNING message_id, token", acknowledge.leases())::contains);
    }

    /**
     * Acknowledges without a wait for locks.
     *
     * @return a failure if another transaction has locked one of the leases; those that were free have ended
     */
    Response acknowledgeUnlocked(Connection connection, Request request, List<Lease> leases) throws SQLException {
        Set<Lease> ended = changed(connection, "DELETE FROM lease WHERE" + MANY_UNLOCKED
                + "RETURNING message_id, token", leases);
        Set<Lease> locked = changed(connection, REMAINING, leases);
        if (!locked.isEmpty()) {
            return Failures.leaseIsLocked(locked.iterator().next().message());
        }
        return request instanceof Request.OfLeases many ? Answers.ofLeases(many, ended::contains)
                : doneIf(ended.containsAll(leases), leases.get(0).message());
    }

    Response extend(Connection connection, Request.ExtendLeases extend) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("UPDATE lease "
                + "SET until = now() + ? * interval '1 ms' WHERE" + MANY + "RETURNING message_id, token")) {
            statement.setInt(1, extend.leaseMillis());
            bind(statement, 2, extend.leases());
            return Answers.ofLeases(extend, changed(statement)::contains);
        }
    }

    Response release(Connection connection, Changes changes, Request.ReleaseMessages release) throws SQLException {
        Set<Lease> released = new HashSet<>();
        boolean cameBack = false;
        try (PreparedStatement statement = connection.prepareStatement(REQUEUE_MANY)) {
            bind(statement, 1, release.leases());
            statement.setInt(3, deliveriesMax);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (rows.getInt(1) == 0) {
                        released.add(new Lease(rows.getLong(4), rows.getLong(5)));
                    } else {
                        stored(rows, changes);
                        cameBack = true;
                    }
                }
            }
        }
        if (cameBack) {
            LowWaterMarks.invalidate(connection);
        }
        return Answers.ofLeases(release, released::contains);
    }

    /**
     * Ends these leases at once, as if nobody had them, since nobody got the messages; those that have ended already
     * stay as they are.
     */
    static void end(Connection connection, List<Lease> leases) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE lease SET until = now(), token = 0 WHERE" + MANY)) {
            bind(statement, 1, leases);
            statement.executeUpdate();
        }
    }

    /**
     * Binds the two parameters of {@link #MANY}. Every transaction locks leases in the order of their ids, so no two
     * statements wait for each other.
     */
    public static void bind(PreparedStatement statement, int at, List<Lease> leases) throws SQLException {
        List<Lease> sorted = leases.stream().sorted(Comparator.comparingLong(Lease::message)).toList();
        statement.setObject(at, sorted.stream().mapToLong(Lease::message).toArray());
        statement.setObject(at + 1, sorted.stream().mapToLong(Lease::token).toArray());
    }

    private static Set<Lease> changed(Connection connection, String sql, List<Lease> leases) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, 1, leases);
            return changed(statement);
        }
    }

    private static Set<Lease> changed(PreparedStatement statement) throws SQLException {
        Set<Lease> changed = new HashSet<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                changed.add(new Lease(rows.getLong(1), rows.getLong(2)));
            }
        }
        return changed;
    }

    /** Requeues messages whose lease expired within this time. @return number of messages, at most {@code limit} */
    public int expire(Connection connection, Changes changes, Duration within, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(String.format(REQUEUE,
                "FROM lease WHERE message_id IN (SELECT message_id FROM lease WHERE until <= now() "
                        + "AND until > now() - ? * interval '1 ms' "
                        + "ORDER BY until LIMIT ? FOR UPDATE SKIP LOCKED)"))) {
            statement.setLong(1, within.toMillis());
            statement.setInt(2, limit);
            return requeue(statement, 3, changes);
        }
    }

    private int requeue(PreparedStatement statement, int at, Changes changes) throws SQLException {
        statement.setInt(at, deliveriesMax);
        int count = 0;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                stored(rows, changes);
                count++;
            }
        }
        if (count > 0) {
            LowWaterMarks.invalidate(statement.getConnection());
        }
        return count;
    }

    /** @param rows begin with queue, receiver and context of a message */
    private static void stored(ResultSet rows, Changes changes) throws SQLException {
        changes.stored(rows.getInt(1), rows.getInt(2), rows.getLong(3));
    }

    private static Response doneIf(boolean found, long message) {
        return found ? Response.Done.INSTANCE : Failures.unknownLease(message);
    }
}
