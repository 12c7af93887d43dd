package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * One table for all queues, like that of job libraries: an insert sends, a delete that skips locked rows takes. A lease
 * is a lock of the row until the acknowledgement deletes it, see {@link LockedRows}: a client has the leases of one
 * request at a time, and they end with its connection, not with their time.
 */
final class SkipLockedQueue extends QueueInTables {
    private final DatabaseAddress address;
    private final long timeoutMillis;
    private final String order;
    private final PreparedStatement send;
    private final Selected take;
    private final Selected takeMany;
    private final Comparator<Message> byOrder;
    private LockedRows locked;
    private Selected receive;

    private SkipLockedQueue(Connection connection, DatabaseAddress address, TableSchema schema, long timeoutMillis)
            throws SQLException {
        super(connection, schema.name());
        this.address = address;
        this.timeoutMillis = timeoutMillis;
        order = schema.priorities() ? "prio DESC, id" : "id";
        send = connection.prepareStatement("INSERT INTO " + schema.name() + ".message (queue, prio, context, sent_ms, "
                + "content) VALUES (?, ?, ?, ?, ?)");
        take = selected(connection, "DELETE FROM " + schema.name() + ".message WHERE ctid = (SELECT ctid", "1",
                ") RETURNING id, prio, context, sent_ms, content");
        takeMany = selected(connection, "DELETE FROM " + schema.name() + ".message WHERE ctid = ANY (ARRAY(SELECT ctid",
                "?", ")) RETURNING id, prio, context, sent_ms, content");
        Comparator<Message> byAge = Comparator.comparingLong(Message::id);
        byOrder = schema.priorities()
                ? Comparator.comparingInt((Message message) -> -message.priority()).thenComparing(byAge) : byAge;
    }

    /** The statements of one operation: for the first message, for the oldest, and for one of a context. */
    private record Selected(PreparedStatement first, PreparedStatement oldest, PreparedStatement byContext) {
        private PreparedStatement of(int queue, MessageQuery query) throws SQLException {
            PreparedStatement ordered = query.order() == MessageQuery.Order.TIME ? oldest : first;
            PreparedStatement statement = query.context() == 0 ? ordered : byContext;
            statement.setInt(1, queue);
            if (query.context() != 0) {
                statement.setLong(2, query.context());
            }
            return statement;
        }

        private PreparedStatement of(int queue, MessageQuery query, int max) throws SQLException {
            PreparedStatement statement = of(queue, query);
            statement.setInt(query.context() == 0 ? 2 : 3, max);
            return statement;
        }
    }

    /** Connects, and creates the table if it is missing. */
    static SkipLockedQueue open(DatabaseAddress address, TableSchema schema, long timeoutMillis) throws SQLException {
        Connection connection = address.connect();
        try {
            schema.createSkipLocked(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute(DatabaseSession.SETTINGS + timeoutMillis);
            }
            return new SkipLockedQueue(connection, address, schema, timeoutMillis);
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
    void send(List<OutgoingMessage> messages, Numbering numbering) throws SQLException {
        boolean several = messages.size() > 1;
        for (OutgoingMessage message : messages) {
            send.setInt(1, message.queue());
            send.setInt(2, message.priority());
            send.setLong(3, message.context());
            send.setLong(4, System.currentTimeMillis());
            send.setBytes(5, message.content());
            if (several) {
                send.addBatch();
            }
        }
        if (several) {
            send.executeBatch();
        } else {
            send.executeUpdate();
        }
    }

    @Override
    Message take(int queue, MessageQuery query, Numbering numbering) throws SQLException {
        try (ResultSet rows = take.of(queue, query).executeQuery()) {
            return rows.next() ? message(rows, queue, numbering, 0) : null;
        }
    }

    @Override
    List<Message> takeMany(int queue, Request.DequeueMessages request, Numbering numbering) throws SQLException {
        List<Message> messages = new ArrayList<>();
        try (ResultSet rows = takeMany.of(queue, request.query(), request.max()).executeQuery()) {
            while (rows.next()) {
                messages.add(message(rows, queue, numbering, 0));
            }
        }
        messages.sort(request.query().order() == MessageQuery.Order.TIME ? Comparator.comparingLong(Message::id)
                : byOrder);
        return messages;
    }

    @Override
    List<Message> receive(int queue, Request.ReceiveMessages request, Numbering numbering) throws SQLException {
        if (locked == null) {
            locked = LockedRows.open(address, schema, timeoutMillis);
            receive = selected(locked.connection(), "SELECT ctid::text AS place, id, prio, context, sent_ms, content",
                    "?", "");
        }
        return locked.lock(receive.of(queue, request.query(), request.max()), (rows, token) -> {
            List<Message> messages = new ArrayList<>();
            while (rows.next()) {
                messages.add(message(rows, queue, numbering, token));
                locked.locked(rows.getLong("id"), rows.getString("place"));
            }
            return messages;
        });
    }

    @Override
    Set<Lease> acknowledge(List<Lease> leases, Numbering numbering) throws SQLException {
        return locked == null ? Set.of() : locked.delete(leases);
    }

    @Override
    void abort() {
        super.abort();
        if (locked != null) {
            DatabaseSession.abort(locked.connection());
        }
    }

    @Override
    void release() throws SQLException {
        if (locked != null) {
            locked.connection().close();
        }
    }

    @Override
    void close() throws SQLException {
        try {
            release();
        } finally {
            super.close();
        }
    }

    /** @param token of its lease, or 0 */
    private static Message message(ResultSet rows, int queue, Numbering numbering, long token) throws SQLException {
        byte[] content = rows.getBytes("content");
        Message.Envelope envelope = new Message.Envelope(numbering.sender(content), 0, rows.getInt("prio"),
                rows.getLong("context"), rows.getLong("sent_ms"));
        return new Message(rows.getLong("id"), queue, envelope, new Message.Delivery(1, token), content);
    }

    private Selected selected(Connection connection, String before, String limit, String after) throws SQLException {
        String from = before + " FROM " + schema + ".message WHERE queue = ?";
        String to = " LIMIT " + limit + " FOR UPDATE SKIP LOCKED" + after;
        return new Selected(connection.prepareStatement(from + " ORDER BY " + order + to),
                connection.prepareStatement(from + " ORDER BY id" + to),
                connection.prepareStatement(from + " AND context = ? ORDER BY " + order + to));
    }
}
