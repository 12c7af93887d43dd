package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.link.BlockingSession;
import ch.ethz.mlmq.storage.Tokens;
import ch.ethz.mlmq.storage.postgresql.operation.LeaseOperations;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Executes requests on a connection to PostgreSQL, each as one statement and one transaction. It keeps no counts of
 * messages as brokers do, so it needs a database of its own.
 */
final class DatabaseSession implements BlockingSession {
    private static final Logger LOG = Logger.getLogger(DatabaseSession.class.getName());
    /** Forces generic plans, because the planner's estimates differ between an empty and a full table. */
    static final String SETTINGS = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; "
            + "SET enable_bitmapscan = off; SET enable_sort = off; SET statement_timeout = ";
    private static final String FIELDS =
            "id, queue_id, sender_id, receiver_id, prio, context, sent_ms, deliveries, content";
    private static final String FIRST =
            " FROM message WHERE queue_id = ? AND receiver_id = 0 ORDER BY prio DESC, id LIMIT 1";

    private final Connection connection;
    private final int sender;
    private final PreparedStatement send;
    private final PreparedStatement dequeue;
    private final PreparedStatement receive;
    private final PreparedStatement acknowledge;
    private final PreparedStatement peek;
    private final PreparedStatement query;
    private final PreparedStatement echo;

    /** @param sender id of the client that sends, over 0 */
    DatabaseSession(Connection connection, int sender, long timeoutMillis) throws SQLException {
        this.connection = connection;
        this.sender = sender;
        try (Statement statement = connection.createStatement()) {
            statement.execute(SETTINGS + timeoutMillis);
        }
        send = connection.prepareStatement("INSERT INTO message (queue_id, receiver_id, sender_id, prio, context, "
                + "sent_ms, content) VALUES (?, ?, ?, ?, ?, ?, ?)");
        dequeue = connection.prepareStatement("DELETE FROM message WHERE ctid = (SELECT ctid" + FIRST
                + " FOR UPDATE SKIP LOCKED) RETURNING " + FIELDS);
        receive = connection.prepareStatement("WITH gone AS (DELETE FROM message WHERE ctid = (SELECT ctid" + FIRST
                + " FOR UPDATE SKIP LOCKED) RETURNING " + FIELDS + "), leased AS (INSERT INTO lease (message_id, "
                + "queue_id, sender_id, receiver_id, prio, context, sent_ms, deliveries, content, token, until) "
                + "SELECT " + FIELDS.replace("deliveries", "deliveries + 1") + ", ?, now() + ? * interval '1 ms' "
                + "FROM gone) SELECT " + FIELDS + " FROM gone");
        acknowledge = connection.prepareStatement(
                "DELETE FROM lease WHERE message_id = ? AND token = ? AND " + LeaseOperations.HELD);
        peek = connection.prepareStatement("SELECT " + FIELDS + FIRST);
        query = connection.prepareStatement("SELECT q.id FROM queue q WHERE q.owner_id = 0 AND NOT q.deleted "
                + "AND EXISTS (SELECT FROM message m WHERE m.queue_id = q.id AND m.receiver_id = 0) LIMIT ?");
        echo = connection.prepareStatement("SELECT ?::bytea");
    }

    /** @return the response that a broker would give */
    @Override
    public Response execute(Request request) throws SQLException {
        if (request instanceof Request.SendMessage message) {
            return send(OutgoingMessage.copiesOf(message));
        } else if (request instanceof Request.SendMessages bulk) {
            return send(bulk.messages());
        } else if (request instanceof Request.DequeueMessage taken) {
            return delivery(dequeue, taken.query().queue());
        } else if (request instanceof Request.ReceiveMessage leased) {
            return receive(leased);
        } else if (request instanceof Request.Acknowledge ended) {
            return acknowledge(ended);
        } else if (request instanceof Request.PeekMessage seen) {
            return delivery(peek, seen.query().queue());
        } else if (request instanceof Request.QueuesWithPendingMessages pending) {
            return pending(pending.max());
        } else if (request instanceof Request.Echo bytes) {
            return echo(bytes.content());
        } else if (request instanceof Request.LookupQueue lookup) {
            return queue("SELECT id FROM queue WHERE owner_id = 0 AND name = ?", lookup.name(),
                    Status.QUEUE_DOES_NOT_EXIST);
        } else if (request instanceof Request.CreateQueue create) {
            return queue("INSERT INTO queue (name) VALUES (?) ON CONFLICT (owner_id, name) DO NOTHING RETURNING id",
                    create.name(), Status.QUEUE_EXISTS);
        }
        return new Response.Failure(Status.INVALID_REQUEST, request.type().label() + " needs a broker");
    }

    @Override
    public void abort() {
        abort(connection);
    }

    /** Closes the socket, even while another thread reads from it. */
    static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.log(Level.FINE, "closing a broken connection failed", e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private Response send(List<OutgoingMessage> messages) throws SQLException {
        for (OutgoingMessage message : messages) {
            send.setInt(1, message.queue());
            send.setInt(2, message.receiver());
            send.setInt(3, sender);
            send.setInt(4, message.priority());
            send.setLong(5, message.context());
            send.setLong(6, System.currentTimeMillis());
            send.setBytes(7, message.content());
            send.addBatch();
        }
        send.executeBatch();
        return Response.Done.INSTANCE;
    }

    private static Response delivery(PreparedStatement statement, int queue) throws SQLException {
        statement.setInt(1, queue);
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? new Response.Delivery(message(rows, 0)) : Response.Delivery.NONE;
        }
    }

    private Response receive(Request.ReceiveMessage request) throws SQLException {
        long token = Tokens.ofALease();
        receive.setLong(2, token);
        receive.setInt(3, request.leaseMillis());
        receive.setInt(1, request.query().queue());
        try (ResultSet rows = receive.executeQuery()) {
            return rows.next() ? new Response.Delivery(message(rows, token)) : Response.Delivery.NONE;
        }
    }

    private Response acknowledge(Request.Acknowledge request) throws SQLException {
        acknowledge.setLong(1, request.message());
        acknowledge.setLong(2, request.leaseToken());
        return acknowledge.executeUpdate() == 1 ? Response.Done.INSTANCE
                : new Response.Failure(Status.UNKNOWN_LEASE, "message " + request.message());
    }

    /** @param token of its lease, or 0 */
    private static Message message(ResultSet rows, long token) throws SQLException {
        Message.Envelope envelope = new Message.Envelope(rows.getInt("sender_id"), rows.getInt("receiver_id"),
                rows.getInt("prio"), rows.getLong("context"), rows.getLong("sent_ms"));
        return new Message(rows.getLong("id"), rows.getInt("queue_id"), envelope,
                new Message.Delivery(rows.getInt("deliveries") + (token == 0 ? 0 : 1), token),
                rows.getBytes("content"));
    }

    private Response pending(int max) throws SQLException {
        query.setInt(1, max);
        List<Integer> queues = new ArrayList<>();
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                queues.add(rows.getInt(1));
            }
        }
        return new Response.PendingQueues(0, queues.stream().mapToInt(Integer::intValue).toArray());
    }

    private Response echo(byte[] content) throws SQLException {
        echo.setBytes(1, content);
        try (ResultSet rows = echo.executeQuery()) {
            rows.next();
            return new Response.Echoed(rows.getBytes(1));
        }
    }

    private Response queue(String sql, String name, Status otherwise) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new Response.QueueFound(rows.getInt(1), name)
                        : new Response.Failure(otherwise, "queue " + name);
            }
        }
    }
}
