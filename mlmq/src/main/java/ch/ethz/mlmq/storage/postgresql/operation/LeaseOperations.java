package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** What becomes of a leased message: acknowledged, kept longer, or given back. */
public final class LeaseOperations {
    /** Long enough for every lease that has run out to have run out in it. */
    public static final Duration EVER = Duration.ofDays(36_500);
    private static final String MINE = " FROM lease WHERE message_id = ? AND token = ? AND until > now() ";
    /** A message whose queue is gone goes with it; one delivered too often goes to the dead-letter queue. */
    private static final String GIVE_BACK = "WITH back AS (DELETE %s RETURNING *), placed AS ("
            + "SELECT back.*, CASE WHEN back.deliveries >= ? THEN dead_letter_queue(back.queue_id) "
            + "ELSE back.queue_id END AS target FROM back JOIN queue q ON q.id = back.queue_id AND NOT q.deleted) "
            + "INSERT INTO message (id, context, sent_ms, queue_id, receiver_id, sender_id, prio, deliveries, content) "
            + "SELECT message_id, context, sent_ms, target, receiver_id, sender_id, prio, deliveries, content "
            + "FROM placed RETURNING queue_id, receiver_id, context";

    private final QueueDirectory directory;
    private final int deliveriesMax;

    /** @param deliveriesMax after so many deliveries a message goes to the dead-letter queue */
    public LeaseOperations(QueueDirectory directory, int deliveriesMax) {
        this.directory = directory;
        this.deliveriesMax = deliveriesMax;
    }

    Response extend(Connection connection, Request.Extend extend) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "UPDATE lease SET until = now() + ? * interval '1 ms' "
                        + "WHERE message_id = ? AND token = ? AND until > now()")) {
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
        try (PreparedStatement statement = connection.prepareStatement(String.format(GIVE_BACK, MINE))) {
            statement.setLong(1, release.message());
            statement.setLong(2, release.leaseToken());
            giveBack(statement, 3, changes);
        }
        return Response.Done.INSTANCE;
    }

    /** Gives back what ran out within this time. @return messages given back, at most {@code limit} */
    public int expire(Connection connection, Changes changes, Duration within, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(String.format(GIVE_BACK,
                "FROM lease WHERE message_id IN (SELECT message_id FROM lease WHERE until <= now() "
                        + "AND until > now() - ? * interval '1 ms' "
                        + "ORDER BY until LIMIT ? FOR UPDATE SKIP LOCKED)"))) {
            statement.setLong(1, within.toMillis());
            statement.setInt(2, limit);
            return giveBack(statement, 3, changes);
        }
    }

    private int giveBack(PreparedStatement statement, int at, Changes changes) throws SQLException {
        statement.setInt(at, deliveriesMax);
        int count = 0;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                int owner = directory.ownerOf(rows.getInt(1));
                changes.stored(rows.getInt(1), owner == 0 ? rows.getInt(2) : owner, rows.getLong(3));
                count++;
            }
        }
        if (count > 0) {
            LowerBounds.comeBack(statement.getConnection());
        }
        return count;
    }

    private static Response doneIf(boolean found, long message) {
        return found ? Response.Done.INSTANCE : Failures.unknownLease(message);
    }
}
