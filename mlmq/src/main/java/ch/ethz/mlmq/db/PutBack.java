package ch.ethz.mlmq.db;

import ch.ethz.mlmq.protocol.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;

/**
 * Puts messages back where they were taken from, at their old place in the order; a leased one ends its lease. Used by one
 * thread.
 */
final class PutBack {
    private static final String DEQUEUED = "INSERT INTO message (id, queue_id, receiver_id, sender_id, prio, context, "
            + "sent_ms, deliveries, content) SELECT ?, q.id, CASE WHEN q.owner_id = 0 THEN ? ELSE 0 END, ?, ?, ?, ?, ?, ? "
            + "FROM queue q WHERE q.id = ? AND NOT q.deleted";
    private static final String LEASED = "UPDATE lease SET until = now() WHERE message_id = ? AND token = ?";

    /** Its commit was asked for and never confirmed. */
    private Transaction unconfirmed;

    /**
     * Puts back and commits. To be called again with the same messages where it failed: they go back once.
     *
     * @param connection not in auto-commit mode
     * @return what has changed
     */
    Transaction putBack(Connection connection, Collection<Message> messages) throws SQLException {
        if (unconfirmed == null || !isCommitted(connection, unconfirmed)) {
            unconfirmed = null;
            Transaction transaction = new Transaction();
            transaction.begin(connection);
            insert(connection, transaction, messages);
            unconfirmed = transaction;
            connection.commit();
        }
        Transaction committed = unconfirmed;
        unconfirmed = null;
        return committed;
    }

    private static boolean isCommitted(Connection connection, Transaction transaction) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_xact_status(?::text::xid8)")) {
            statement.setString(1, Long.toString(transaction.id()));
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                if ("in progress".equals(rows.getString(1))) {
                    throw new SQLException("transaction " + transaction.id() + " is still in progress");
                }
                return "committed".equals(rows.getString(1));
            }
        }
    }

    private static void insert(Connection connection, Transaction transaction, Collection<Message> messages)
            throws SQLException {
        try (PreparedStatement dequeued = connection.prepareStatement(DEQUEUED);
                PreparedStatement leased = connection.prepareStatement(LEASED)) {
            boolean cameBack = false;
            for (Message message : messages) {
                if (message.leaseToken() != 0) {
                    leased.setLong(1, message.id());
                    leased.setLong(2, message.leaseToken());
                    leased.executeUpdate();
                } else {
                    bind(dequeued, message);
                    if (dequeued.executeUpdate() == 1) {
                        cameBack = true;
                        transaction.stored(message.queue(), message.receiver(), message.context());
                    }
                }
            }
            if (cameBack) {
                LowerBounds.comeBack(connection);
            }
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
        statement.setInt(9, message.queue());
    }
}
