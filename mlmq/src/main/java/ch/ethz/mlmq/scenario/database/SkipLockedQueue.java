package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** One table for all queues, like that of job libraries: an insert sends, a delete that skips locked rows takes. */
final class SkipLockedQueue extends QueueInTables {
    private final boolean priorities;
    private final PreparedStatement send;
    private final PreparedStatement take;
    private final PreparedStatement takeOldest;
    private final PreparedStatement takeByContext;

    private SkipLockedQueue(Connection connection, TableSchema schema) throws SQLException {
        super(connection, schema.name());
        priorities = schema.priorities();
        send = connection.prepareStatement("INSERT INTO " + schema.name() + ".message (queue, prio, context, sent_ms, "
                + "content) VALUES (?, ?, ?, ?, ?)");
        take = taking("", priorities ? "prio DESC, id" : "id");
        takeOldest = taking("", "id");
        takeByContext = taking(" AND context = ?", priorities ? "prio DESC, id" : "id");
    }

    /** Connects, and creates the table if it is missing. */
    static SkipLockedQueue open(DatabaseAddress address, TableSchema schema, long timeoutMillis) throws SQLException {
        Connection connection = address.connect();
        try {
            schema.createSkipLocked(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute(DatabaseSession.SETTINGS + timeoutMillis);
            }
            return new SkipLockedQueue(connection, schema);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    void create(int queue, Numbering numbering) {
        // A queue is only a number in the table.
    }

    @Override
    boolean exists(int queue, Numbering numbering) {
        return true;
    }

    @Override
    void send(int[] queues, int priority, long context, byte[] content, Numbering numbering) throws SQLException {
        for (int queue : queues) {
            send.setInt(1, queue);
            send.setInt(2, priority);
            send.setLong(3, context);
            send.setLong(4, System.currentTimeMillis());
            send.setBytes(5, content);
            if (queues.length > 1) {
                send.addBatch();
            }
        }
        if (queues.length > 1) {
            send.executeBatch();
        } else {
            send.executeUpdate();
        }
    }

    private PreparedStatement statement(MessageQuery query) {
        if (query.context() != 0) {
            return takeByContext;
        }
        return query.order() == MessageQuery.Order.TIME ? takeOldest : take;
    }

    @Override
    Message take(int queue, MessageQuery query, Numbering numbering) throws SQLException {
        PreparedStatement statement = statement(query);
        statement.setInt(1, queue);
        if (query.context() != 0) {
            statement.setLong(2, query.context());
        }
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return null;
            }
            byte[] content = rows.getBytes("content");
            Message.Envelope envelope = new Message.Envelope(numbering.sender(content), 0, rows.getInt("prio"),
                    rows.getLong("context"), rows.getLong("sent_ms"));
            return new Message(rows.getLong("id"), queue, envelope, new Message.Delivery(1), content);
        }
    }

    private PreparedStatement taking(String condition, String order) throws SQLException {
        return connection.prepareStatement("DELETE FROM " + schema + ".message WHERE ctid = (SELECT ctid FROM " + schema
                + ".message WHERE queue = ?" + condition + " ORDER BY " + order
                + " LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, prio, context, sent_ms, content");
    }
}
