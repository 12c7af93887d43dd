package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.database.JdbcKeys.PgmqTake;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A table for each queue, with functions like pgmq's: send, read with a visibility time, archive, delete, and pop. A
 * lease is the visibility time of a read, in whole seconds. The acknowledgement archives the message, or deletes it if
 * the client does not archive. Its token is the number of the queue: pgmq lets any client remove a message by its id,
 * even one whose visibility time has ended.
 */
final class PgmqQueue extends QueueInTables {
    /** Longer than any client needs between reading a message and removing it. */
    private static final int VISIBILITY_SECONDS = 30;
    private static final int MILLIS_PER_SECOND = 1_000;

    private final PgmqTake way;
    private final boolean oneByOne;
    private final PreparedStatement create;
    private final PreparedStatement exists;
    private final PreparedStatement send;
    private final PreparedStatement sendSeveral;
    private final PreparedStatement read;
    private final PreparedStatement pop;
    private final PreparedStatement finish;
    private final PreparedStatement finishSeveral;

    private PgmqQueue(Connection connection, String schema, PgmqTake way, boolean oneByOne) throws SQLException {
        super(connection, schema);
        this.way = way;
        this.oneByOne = oneByOne;
        create = connection.prepareStatement("SELECT " + schema + ".create_queue(?)");
        exists = connection.prepareStatement("SELECT to_regclass(? || ?) IS NOT NULL");
        send = connection.prepareStatement("SELECT " + schema + ".send(?, ?, ?, ?)");
        sendSeveral = connection.prepareStatement("SELECT " + schema
                + ".send_batch(?, ?::int[], ?::bigint[], ?::bytea[])");
        read = connection.prepareStatement("SELECT * FROM " + schema + ".read(?, ?, ?)");
        pop = connection.prepareStatement("SELECT * FROM " + schema + ".pop(?)");
        String finishing = "SELECT " + schema + (way == PgmqTake.ARCHIVE ? ".archive" : ".remove");
        finish = connection.prepareStatement(finishing + "(?, ?)");
        finishSeveral = connection.prepareStatement(finishing + "(?, ?::bigint[])");
    }

    /** Connects, and creates the functions if they are missing. */
    static PgmqQueue open(DatabaseAddress address, TableSchema schema, PgmqTake way, boolean oneByOne,
            long timeoutMillis) throws SQLException {
        Connection connection = address.connect();
        try {
            schema.createPgmq(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET statement_timeout = " + timeoutMillis);
            }
            return new PgmqQueue(connection, schema.name(), way, oneByOne);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    void create(int queue, Numbering numbering) throws SQLException {
        create.setString(1, table(queue, numbering));
        create.execute();
    }

    @Override
    boolean exists(int queue, Numbering numbering) throws SQLException {
        exists.setString(1, schema + ".q_");
        exists.setString(2, table(queue, numbering));
        try (ResultSet rows = exists.executeQuery()) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    @Override
    void send(List<OutgoingMessage> messages, Numbering numbering) throws SQLException {
        for (List<OutgoingMessage> ofQueue : messages.stream()
                .collect(Collectors.groupingBy(OutgoingMessage::queue)).values()) {
            String table = table(ofQueue.get(0).queue(), numbering);
            if (ofQueue.size() == 1) {
                send(table, ofQueue.get(0));
            } else {
                send(table, ofQueue);
            }
        }
    }

    private void send(String table, OutgoingMessage message) throws SQLException {
        send.setString(1, table);
        send.setInt(2, message.priority());
        send.setLong(3, message.context());
        send.setBytes(4, message.content());
        send.execute();
    }

    private void send(String table, List<OutgoingMessage> messages) throws SQLException {
        sendSeveral.setString(1, table);
        sendSeveral.setObject(2, messages.stream().mapToInt(OutgoingMessage::priority).toArray());
        sendSeveral.setObject(3, messages.stream().mapToLong(OutgoingMessage::context).toArray());
        sendSeveral.setObject(4, messages.stream().map(OutgoingMessage::content).toArray(byte[][]::new));
        sendSeveral.execute();
    }

    /**
     * Takes a message. One with another context than the wanted one becomes visible again when its visibility time
     * ends.
     */
    @Override
    Message take(int queue, MessageQuery query, Numbering numbering) throws SQLException {
        String table = table(queue, numbering);
        boolean pops = way == PgmqTake.POP && query.context() == 0;
        Message message = first(pops ? handedOut(pop, queue, numbering, 0)
                : read(queue, VISIBILITY_SECONDS, 1, numbering, 0));
        while (!pops && message != null && !(isWanted(message, query) && finished(table, message.id()))) {
            message = first(read(queue, VISIBILITY_SECONDS, 1, numbering, 0));
        }
        return message;
    }

    /** Messages of another context than the wanted one become visible again when their visibility time ends. */
    @Override
    List<Message> receive(int queue, Request.ReceiveMessages request, Numbering numbering) throws SQLException {
        int seconds = (request.leaseMillis() + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND;
        List<Message> messages = read(queue, seconds, request.max(), numbering, queue);
        return messages.stream().filter(message -> isWanted(message, request.query())).toList();
    }

    @Override
    Set<Lease> acknowledge(List<Lease> leases, Numbering numbering) throws SQLException {
        Set<Lease> settled = new HashSet<>();
        if (oneByOne || leases.size() == 1) {
            for (Lease lease : leases) {
                if (finished(table((int) lease.token(), numbering), lease.message())) {
                    settled.add(lease);
                }
            }
            return settled;
        }
        Map<Long, Set<Long>> byQueue = new HashMap<>();
        leases.forEach(lease -> byQueue.computeIfAbsent(lease.token(), token -> new HashSet<>()).add(lease.message()));
        for (Map.Entry<Long, Set<Long>> queue : byQueue.entrySet()) {
            finishSeveral.setString(1, table(queue.getKey().intValue(), numbering));
            finishSeveral.setArray(2, connection.createArrayOf("bigint", queue.getValue().toArray()));
            try (ResultSet rows = finishSeveral.executeQuery()) {
                while (rows.next()) {
                    settled.add(new Lease(rows.getLong(1), queue.getKey()));
                }
            }
        }
        return settled;
    }

    /** Takes of many messages are two requests. */
    @Override
    List<Message> takeMany(int queue, Request.DequeueMessages request, Numbering numbering) {
        throw new UnsupportedOperationException();
    }

    private static Message first(List<Message> messages) {
        return messages.isEmpty() ? null : messages.get(0);
    }

    private static boolean isWanted(Message message, MessageQuery query) {
        return query.context() == 0 || message.context() == query.context();
    }

    private List<Message> read(int queue, int seconds, int max, Numbering numbering, long token) throws SQLException {
        read.setInt(2, seconds);
        read.setInt(3, max);
        return handedOut(read, queue, numbering, token);
    }

    /** @param token of the leases, or 0 */
    private static List<Message> handedOut(PreparedStatement statement, int queue, Numbering numbering, long token)
            throws SQLException {
        statement.setString(1, table(queue, numbering));
        List<Message> messages = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                byte[] content = rows.getBytes("message");
                Message.Envelope envelope = new Message.Envelope(numbering.sender(content), 0, rows.getInt("prio"),
                        rows.getLong("context"), rows.getTimestamp("enqueued_at").getTime());
                messages.add(new Message(rows.getLong("msg_id"), queue, envelope,
                        new Message.Delivery(rows.getInt("read_ct"), token), content));
            }
        }
        return messages;
    }

    /** @return false if the message became visible again meanwhile, and another client took it */
    private boolean finished(String table, long id) throws SQLException {
        finish.setString(1, table);
        finish.setLong(2, id);
        try (ResultSet rows = finish.executeQuery()) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    private static String table(int queue, Numbering numbering) {
        return numbering.queueName(queue).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
    }
}
