package ch.ethz.mlmq.storage.postgresql.limit;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.limit.QueueLimits;
import ch.ethz.mlmq.storage.limit.QueueStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Executes statements about limits in the tables of a database. */
public final class LimitTables {
    private static final String COLUMNS = "COALESCE(l.messages, 0), COALESCE(l.bytes, 0), COALESCE(l.drops, false), "
            + "COALESCE(l.age_ms, 0), COALESCE(l.attempts, 0), COALESCE(l.backoff_ms, 0), "
            + "COALESCE(l.backoff_max_ms, 0)";
    private static final String ALL = "SELECT q.id, " + COLUMNS
            + ", q.name FROM queue_limit l JOIN queue q ON q.id = l.queue_id WHERE NOT q.deleted ORDER BY q.name";
    private static final String ONE = "SELECT " + COLUMNS + ", COALESCE(q.name, ''), COALESCE(n.messages, 0), "
            + "(SELECT count(*) FROM lease WHERE lease.queue_id = q.id) FROM queue q "
            + "LEFT JOIN queue_limit l ON l.queue_id = q.id LEFT JOIN queue_length n ON n.queue_id = q.id "
            + "WHERE q.id = ? AND NOT q.deleted";
    private static final String BY_ID = "SELECT id FROM queue WHERE id = ?::int AND NOT deleted FOR KEY SHARE";
    private static final String BY_NAME = "SELECT id FROM queue WHERE owner_id = 0 AND name = ? AND NOT deleted "
            + "FOR KEY SHARE";
    private static final String OF_TOPIC = "SELECT q.id FROM topic t JOIN subscription s ON s.topic_id = t.id "
            + "JOIN queue q ON q.id = s.queue_id WHERE t.name = ? AND s.name = ? "
            + "AND NOT q.deleted FOR KEY SHARE OF q";
    private static final String PUT = "INSERT INTO queue_limit VALUES (?, NULLIF(?, 0), NULLIF(?, 0), ?, NULLIF(?, 0), "
            + "NULLIF(?, 0), NULLIF(?, 0), NULLIF(?, 0)) ON CONFLICT (queue_id) DO UPDATE SET (messages, bytes, drops, "
            + "age_ms, attempts, backoff_ms, backoff_max_ms) = (excluded.messages, excluded.bytes, excluded.drops, "
            + "excluded.age_ms, excluded.attempts, excluded.backoff_ms, excluded.backoff_max_ms)";

    private final Connection connection;
    private final BiConsumer<Integer, QueueLimits> changed;

    /**
     * @param connection in whose transaction statements are executed
     * @param changed    takes the id of a queue and the limits that it has once the transaction is committed
     */
    public LimitTables(Connection connection, BiConsumer<Integer, QueueLimits> changed) {
        this.connection = connection;
        this.changed = changed;
    }

    /** Executes the statement of a client; nobody limits the personal queue of another one. */
    public Response execute(QueueStatement statement, int client) throws SQLException {
        if (statement.name() == null) {
            return new Response.Report(String.join("\n", shown()));
        }
        int queue = find(connection, statement.name());
        if (queue == 0) {
            return Failures.noQueue(statement.name());
        }
        int owner = find(connection, "SELECT owner_id FROM queue WHERE id = ?::int", Integer.toString(queue));
        if (owner != 0 && owner != client) {
            return Failures.notOwner(queue);
        }
        if (statement.wanted() != null) {
            put(queue, statement.wanted());
            changed.accept(queue, statement.wanted());
        }
        return new Response.Report(shown(queue, statement.wanted() == null));
    }

    /** @return all limits by the id of their queue */
    public static Map<Integer, QueueLimits> all(Connection connection) throws SQLException {
        Map<Integer, QueueLimits> all = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(ALL);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                all.put(rows.getInt(1), limits(rows, 2));
            }
        }
        return all;
    }

    /**
     * Finds a queue. The queue of a subscription's dead letters has the name of a subscription, too.
     *
     * @param name of a public queue or subscription, or # and an id
     * @return id of the queue; 0 if there is none
     */
    public static int find(Connection connection, String name) throws SQLException {
        int id = QueueStatement.id(name);
        if (id != 0) {
            return find(connection, BY_ID, Integer.toString(id));
        }
        int topic = name.indexOf(Limits.SUBSCRIPTION);
        int subscription = topic < 0 ? 0
                : find(connection, OF_TOPIC, name.substring(0, topic), name.substring(topic + 1));
        return subscription != 0 ? subscription : find(connection, BY_NAME, name);
    }

    /** @return id of the topic; 0 if there is none */
    public static int findTopic(Connection connection, String name) throws SQLException {
        return find(connection, "SELECT id FROM topic WHERE name = ?", name);
    }

    private static int find(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        }
    }

    private void put(int queue, QueueLimits limits) throws SQLException {
        if (limits.equals(QueueLimits.NONE)) {
            update("DELETE FROM queue_limit WHERE queue_id = ?", queue);
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(PUT)) {
            statement.setInt(1, queue);
            statement.setLong(2, limits.messages());
            statement.setLong(3, limits.bytes());
            statement.setBoolean(4, limits.drops());
            statement.setLong(5, limits.ageMillis());
            statement.setInt(6, limits.attempts());
            statement.setLong(7, limits.backoffMillis());
            statement.setLong(8, limits.backoffMaxMillis());
            statement.executeUpdate();
        }
        update(limits.isBounded() ? "INSERT INTO queue_fill (queue_id) VALUES (?) ON CONFLICT DO NOTHING"
                : "DELETE FROM queue_fill WHERE queue_id = ?", queue);
    }

    private void update(String sql, int queue) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, queue);
            statement.executeUpdate();
        }
    }

    private String shown(int queue, boolean hasLength) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ONE)) {
            statement.setInt(1, queue);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                String name = rows.getString(8);
                return hasLength ? QueueStatement.shown(name, queue, rows.getLong(9) + " messages, " + rows.getLong(10)
                        + " leased", limits(rows, 1)) : QueueStatement.shown(name, limits(rows, 1));
            }
        }
    }

    private List<String> shown() throws SQLException {
        List<String> lines = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(ALL);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                lines.add(QueueStatement.shown(rows.getString(9), limits(rows, 2)));
            }
        }
        return lines;
    }

    private static QueueLimits limits(ResultSet rows, int at) throws SQLException {
        return new QueueLimits(rows.getLong(at), rows.getLong(at + 1), rows.getBoolean(at + 2), rows.getLong(at + 3),
                rows.getInt(at + 4), rows.getLong(at + 5), rows.getLong(at + 6));
    }
}
