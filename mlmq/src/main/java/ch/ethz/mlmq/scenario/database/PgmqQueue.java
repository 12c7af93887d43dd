package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.database.JdbcKeys.PgmqTake;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** A table for each queue, with functions like pgmq's: send, read with a visibility time, archive, delete, and pop. */
final class PgmqQueue extends QueueInTables {
    /** Longer than any client needs between reading a message and removing it. */
    private static final int VISIBILITY_SECONDS = 30;

    private final PgmqTake way;
    private final PreparedStatement create;
    private final PreparedStatement exists;
    private final PreparedStatement send;
    private final PreparedStatement read;
    private final PreparedStatement pop;
    private final PreparedStatement finish;

    private PgmqQueue(Connection connection, String schema, PgmqTake way) throws SQLException {
        super(connection, schema);
        this.way = way;
        create = connection.prepareStatement("SELECT " + schema + ".create_queue(?)");
        exists = connection.prepareStatement("SELECT to_regclass(? || ?) IS NOT NULL");
        send = connection.prepareStatement("SELECT " + schema + ".send(?, ?, ?, ?)");
        read = connection.prepareStatement("SELECT * FROM " + schema + ".read(?, " + VISIBILITY_SECONDS + ", 1)");
        pop = connection.prepareStatement("SELECT * FROM " + schema + ".pop(?)");
        finish = connection.prepareStatement("SELECT " + schema
                + (way == PgmqTake.ARCHIVE ? ".archive" : ".remove") + "(?, ?)");
    }

    /** Connects, and creates the functions if they are missing. */
    static PgmqQueue open(DatabaseAddress address, TableSchema schema, PgmqTake way, long timeoutMillis)
            throws SQLException {
        Connection connection = address.connect();
        try {
            schema.createPgmq(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET statement_timeout = " + timeoutMillis);
            }
            return new PgmqQueue(connection, schema.name(), way);
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
    void send(int[] queues, int priority, long context, byte[] content, Numbering numbering) throws SQLException {
        for (int queue : queues) {
            send.setString(1, table(queue, numbering));
            send.setInt(2, priority);
            send.setLong(3, context);
            send.setBytes(4, content);
            send.execute();
        }
    }

    /**
     * Takes a message. One with another context than the wanted one becomes visible again when its visibility time
     * ends.
     */
    @Override
    Message take(int queue, MessageQuery query, Numbering numbering) throws SQLException {
        String table = table(queue, numbering);
        boolean pops = way == PgmqTake.POP && query.context() == 0;
        Message message = handedOut(pops ? pop : read, queue, table, numbering);
        while (!pops && message != null && !(isWanted(message, query) && finished(table, message.id()))) {
            message = handedOut(read, queue, table, numbering);
        }
        return message;
    }

    private static boolean isWanted(Message message, MessageQuery query) {
        return query.context() == 0 || message.context() == query.context();
    }

    private static Message handedOut(PreparedStatement statement, int queue, String table, Numbering numbering)
            throws SQLException {
        statement.setString(1, table);
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return null;
            }
            byte[] content = rows.getBytes("message");
            Message.Envelope envelope = new Message.Envelope(numbering.sender(content), 0, rows.getInt("prio"),
                    rows.getLong("context"), rows.getTimestamp("enqueued_at").getTime());
            return new Message(rows.getLong("msg_id"), queue, envelope, new Message.Delivery(rows.getInt("read_ct")),
                    content);
        }
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
