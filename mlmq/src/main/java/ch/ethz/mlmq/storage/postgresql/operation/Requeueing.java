package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Requeues messages at their old place in the order, and ends the lease of a leased one. Used by one thread.
 *
 * <p>If the outcome of a commit is unknown, a row stored by the same transaction shows whether it happened. The
 * transaction's number does not: PostgreSQL may assign it again after a crash before it was on disk.
 */
public final class Requeueing {
    private static final String DEQUEUED = "INSERT INTO message (id, queue_id, receiver_id, sender_id, prio, context, "
            + "sent_ms, deliveries, content, properties) "
            + "SELECT ?, q.id, CASE WHEN q.owner_id = 0 THEN ? ELSE 0 END, ?, ?, ?, ?, "
            + "?, ?, ? FROM queue q WHERE q.id = ? AND NOT q.deleted ON CONFLICT DO NOTHING";
    /** Waits for a transaction that has stored the same row and has not ended yet. */
    private static final String MARK = "INSERT INTO put_back (id) VALUES (?) ON CONFLICT DO NOTHING";
    private static final String FORGET = "DELETE FROM put_back WHERE id = ?";

    /** Identifies this attempt until its commit is confirmed. */
    private UUID mark = UUID.randomUUID();
    private UUID confirmed;
    /** The changes of a commit of unknown outcome. */
    private Changes unconfirmed;

    /**
     * Requeues messages and commits. After a failure call it again with the same messages: they are requeued once.
     *
     * @param connection not in auto-commit mode
     * @return the changes
     */
    public Changes requeue(Connection connection, Collection<Message> messages) throws SQLException {
        Changes changes = new Changes(SharedLocks.beginStoring(connection));
        if (execute(connection, MARK, mark) == 1) {
            execute(connection, FORGET, confirmed);
            insert(connection, changes, messages);
            unconfirmed = changes;
            connection.commit();
        }
        confirmed = mark;
        mark = UUID.randomUUID();
        return unconfirmed;
    }

    private static int execute(Connection connection, String sql, UUID id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, id);
            return statement.executeUpdate();
        }
    }

    private static void insert(Connection connection, Changes changes, Collection<Message> messages)
            throws SQLException {
        List<Lease> leases = new ArrayList<>();
        try (PreparedStatement dequeued = connection.prepareStatement(DEQUEUED)) {
            boolean cameBack = false;
            for (Message message : messages) {
                if (message.leaseToken() != 0) {
                    leases.add(message.lease());
                } else {
                    bind(dequeued, message);
                    if (dequeued.executeUpdate() == 1) {
                        cameBack = true;
                        changes.stored(message.queue(), message.receiver(), message.context());
                    }
                }
            }
            if (cameBack) {
                LowWaterMarks.invalidate(connection);
            }
        }
        if (!leases.isEmpty()) {
            LeaseOperations.end(connection, leases);
        }
    }

    private static void bind(PreparedStatement statement, Message message) throws SQLException {
        statement.setLong(1, message.id());
        statement.setInt(2, message.receiver());
        statement.setInt(3, message.sender());
        statement.setInt(4, message.priority());
        statement.setLong(5, message.context());
        statement.setLong(6, message.sentMillis());
        statement.setInt(7, message.deliveries() - 1);
        statement.setBytes(8, message.content());
        statement.setBytes(9, message.properties().stored());
        statement.setInt(10, message.queue());
    }
}
