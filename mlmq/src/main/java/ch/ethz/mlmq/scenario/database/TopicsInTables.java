package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.json.JsonObject;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.workload.TopicFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Topics in a table: one statement copies a message into the queue of each subscription whose filter contains it. A
 * client looks into the queues of its subscriptions again and again; those that are not durable end when it closes.
 */
final class TopicsInTables {
    private static final long BETWEEN_LOOKS_MILLIS = 10;

    private final QueueInTables queues;
    private final Connection connection;
    private final PreparedStatement subscribe;
    private final PreparedStatement publish;
    private final PreparedStatement filled;
    private final PreparedStatement length;
    private final PreparedStatement end;
    private final List<Integer> mine = new ArrayList<>();
    private final List<Integer> ending = new ArrayList<>();
    /** Topics and names of subscriptions that are not durable. */
    private final Set<String> names = new HashSet<>();

    TopicsInTables(QueueInTables queues) throws SQLException {
        this.queues = queues;
        this.connection = queues.connection;
        String schema = queues.schema;
        subscribe = connection.prepareStatement("WITH gone AS (DELETE FROM " + schema + ".message m USING "
                + schema + ".subscription s WHERE ? AND s.topic = ? AND s.name = ? AND m.queue = s.queue) INSERT INTO "
                + schema + ".subscription (topic, name, filters) VALUES (?, ?, ?::jsonb[]) "
                + "ON CONFLICT (topic, name) DO UPDATE SET filters = EXCLUDED.filters RETURNING queue");
        publish = connection.prepareStatement("INSERT INTO " + schema + ".message (queue, prio, context, sent_ms, "
                + "content) SELECT s.queue, ?, ?, ?, ? FROM " + schema + ".subscription s WHERE s.topic = ? "
                + "AND ?::jsonb @> ANY (s.filters)");
        filled = connection.prepareStatement("SELECT q.queue FROM unnest(?::int[]) WITH ORDINALITY q(queue, place) "
                + "WHERE EXISTS (SELECT FROM " + schema + ".message m WHERE m.queue = q.queue) ORDER BY place LIMIT 1");
        length = connection.prepareStatement("SELECT count(*) FROM " + schema + ".message WHERE queue = ?");
        end = connection.prepareStatement("WITH gone AS (DELETE FROM " + schema + ".subscription "
                + "WHERE queue = ANY (?) RETURNING queue) DELETE FROM " + schema + ".message m USING gone "
                + "WHERE m.queue = gone.queue");
    }

    /**
     * Makes or finds a subscription. One that is not durable and that this client does not have starts empty: a client
     * that was killed has not ended it.
     *
     * @return its number
     */
    int subscribe(TopicRequest.Subscribe wanted) throws SQLException {
        List<String> filters = new ArrayList<>();
        for (Map<String, Object> comparisons : TopicFilter.alternatives(wanted.filter())) {
            filters.add(json(comparisons));
        }
        subscribe.setBoolean(1, !wanted.durable() && names.add(wanted.topic() + "/" + wanted.name()));
        subscribe.setInt(2, wanted.topic());
        subscribe.setString(3, wanted.name());
        subscribe.setInt(4, wanted.topic());
        subscribe.setString(5, wanted.name());
        subscribe.setArray(6, connection.createArrayOf("text", filters.toArray()));
        int queue = number(subscribe);
        if (!mine.contains(queue)) {
            mine.add(queue);
            if (!wanted.durable()) {
                ending.add(queue);
            }
        }
        return queue;
    }

    /** @return number of copies */
    int publish(TopicRequest.Publish message) throws SQLException {
        JsonObject document = new JsonObject();
        message.properties().asMap().forEach(document::put);
        if (message.context() != 0) {
            document.put("$context", message.context());
        }
        publish.setInt(1, message.priority());
        publish.setLong(2, message.context());
        publish.setLong(3, System.currentTimeMillis());
        publish.setBytes(4, message.content());
        publish.setInt(5, message.topic());
        publish.setString(6, document.toString());
        return publish.executeUpdate();
    }

    boolean has(int subscription) {
        return mine.contains(subscription);
    }

    /** Receives from the next of the client's subscriptions that has messages, whichever the request names. */
    List<Message> receive(Request.ReceiveMessages request, Numbering numbering) throws SQLException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.query().waitMillis());
        while (true) {
            Collections.rotate(mine, -1);
            filled.setArray(1, connection.createArrayOf("int", mine.toArray()));
            try (ResultSet rows = filled.executeQuery()) {
                if (rows.next()) {
                    List<Message> messages = queues.receive(rows.getInt(1), request, numbering);
                    if (!messages.isEmpty()) {
                        return messages;
                    }
                }
            }
            if (System.nanoTime() - until >= 0 || !paused()) {
                return List.of();
            }
        }
    }

    /** @return number of messages of a subscription, locked ones, too */
    int length(int subscription) throws SQLException {
        length.setInt(1, subscription);
        return number(length);
    }

    /** Ends the subscriptions that are not durable. */
    void close() throws SQLException {
        if (!ending.isEmpty()) {
            end.setArray(1, connection.createArrayOf("int", ending.toArray()));
            end.executeUpdate();
        }
    }

    private static boolean paused() {
        try {
            Thread.sleep(BETWEEN_LOOKS_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String json(Map<String, Object> pairs) {
        JsonObject object = new JsonObject();
        pairs.forEach(object::put);
        return object.toString();
    }

    private static int number(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
