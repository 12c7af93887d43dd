package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilterException;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.topic.Subscriptions;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Operations on topics: create, delete, look up, subscribe, unsubscribe, and publishes that are not of a batch. */
final class TopicOperations {
    private static final String PUBLISH = "INSERT INTO message (queue_id, sender_id, prio, context, content, "
            + "properties, sent_ms) SELECT queue_id, ?, ?, ?, ?, ?, ? FROM unnest(?::int[]) AS copy(queue_id)";
    /** No queue has a negative id. */
    private static final String FIRST_OF_KEY = "INSERT INTO dedup VALUES (-?, ?, now() + ? * interval '1 ms') "
            + "ON CONFLICT (queue_id, key) DO UPDATE SET expires_at = excluded.expires_at "
            + "WHERE dedup.expires_at < now()";

    private final QueueDirectory queues;
    private final TopicDirectory topics;
    private final Duration dedupWindow;
    private final int maxOfUser;

    /** @param maxOfUser most queues of a user; 0 for no limit */
    TopicOperations(QueueDirectory queues, TopicDirectory topics, Duration dedupWindow, int maxOfUser) {
        this.queues = queues;
        this.topics = topics;
        this.dedupWindow = dedupWindow;
        this.maxOfUser = maxOfUser;
    }

    /** @param user that owns it; empty for none */
    Response create(Connection connection, String name, String user) throws SQLException {
        if (lookup(connection, name) instanceof Response.TopicFound) {
            return Failures.topicExists(name);
        }
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO topic (name, account) SELECT ?, u "
                + "FROM (SELECT ?::text AS u) one WHERE u = '' OR ? = 0 OR queues_of(u) < ? "
                + "ON CONFLICT (name) DO NOTHING RETURNING id")) {
            statement.setString(1, name);
            statement.setString(2, user);
            statement.setInt(3, maxOfUser);
            statement.setInt(4, maxOfUser);
            try (ResultSet rows = statement.executeQuery()) {
                if (rows.next()) {
                    return new Response.TopicFound(rows.getInt(1), name);
                }
            }
        }
        return lookup(connection, name) instanceof Response.TopicFound ? Failures.topicExists(name)
                : QueueOperations.tooMany(user, maxOfUser);
    }

    Response lookup(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT id FROM topic WHERE name = ?")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new Response.TopicFound(rows.getInt(1), name) : Failures.noTopic(name);
            }
        }
    }

    Response delete(Connection connection, int topic) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT delete_topic(?)")) {
            statement.setInt(1, topic);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                Array deleted = rows.getArray(1);
                topics.forget(topic);
                if (deleted == null) {
                    return Failures.noTopic(topic);
                }
                for (Integer queue : (Integer[]) deleted.getArray()) {
                    queues.forgetQueue(queue);
                }
                return Response.Done.INSTANCE;
            }
        }
    }

    Response subscribe(Connection connection, Call call, TopicRequest.Subscribe subscribe) throws SQLException {
        try {
            Filter.parse(subscribe.filter());
        } catch (FilterException e) {
            return new Response.Failure(Status.INVALID_REQUEST, "the filter: " + e.getMessage());
        }
        int owner = subscribe.durable() ? 0 : call.client();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT obstacle, queue, queue_name FROM subscribe(?, ?, ?, ?, ?, ?, ?, ?)")) {
            statement.setInt(1, subscribe.topic());
            statement.setString(2, subscribe.name());
            statement.setString(3, subscribe.filter());
            statement.setInt(4, owner);
            statement.setString(5, call.user());
            statement.setInt(6, Subscriptions.MAX);
            statement.setLong(7, Subscriptions.MAX_WEIGHT);
            statement.setInt(8, maxOfUser);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                String obstacle = rows.getString(1);
                if (obstacle == null) {
                    return new Response.QueueFound(rows.getInt(2), rows.getString(3));
                }
                return switch (obstacle) {
                    case "no topic" -> Failures.noTopic(subscribe.topic());
                    case "full" -> Failures.topicIsFull();
                    case "too many" -> QueueOperations.tooMany(call.user(), maxOfUser);
                    default -> Failures.otherSubscription(subscribe.name());
                };
            }
        }
    }

    Response unsubscribe(Connection connection, Call call, TopicRequest.Unsubscribe unsubscribe)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT obstacle, queue FROM unsubscribe(?, ?, ?, ?)")) {
            statement.setInt(1, unsubscribe.topic());
            statement.setString(2, unsubscribe.name());
            statement.setInt(3, call.client());
            statement.setString(4, call.user());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                String obstacle = rows.getString(1);
                if (obstacle == null) {
                    queues.forgetQueue(rows.getInt(2));
                    return Response.Done.INSTANCE;
                }
                return switch (obstacle) {
                    case "no topic" -> Failures.noTopic(unsubscribe.topic());
                    case "gone" -> Failures.noSubscription(unsubscribe.name());
                    default -> Failures.notSubscriber(unsubscribe.name());
                };
            }
        }
    }

    /** Publishes with a key, a delay or a time to live. No other transaction subscribes meanwhile. */
    Response publish(Connection connection, Changes changes, Call call, TopicRequest.Publish publish)
            throws SQLException {
        long generation = lock(connection, publish.topic());
        if (generation < 0) {
            return Failures.noTopic(publish.topic());
        }
        Subscriptions known = topics.known(publish.topic());
        Subscriptions current = known;
        if (changes.haveSubscriptionsChanged()) {
            current = topics.read(connection, publish.topic());
        } else if (known == null || known.generation() != generation) {
            current = topics.load(connection, publish.topic());
        }
        int[] copies = current.taking(publish);
        if (Subscriptions.isTooMuch(publish, copies.length)) {
            return Failures.tooMuchToCopy(copies.length);
        }
        Savepoint before = Arrays.stream(copies).anyMatch(queues.limits()::isBounded) ? connection.setSavepoint()
                : null;
        if (!publish.key().isEmpty() && !isFirstOfKey(connection, publish)) {
            return new Response.Published(0);
        }
        List<OutgoingMessage> messages = before == null && !publish.properties().hasTimes() ? List.of()
                : messages(publish, copies);
        Rooms.Full full = before == null ? null
                : Rooms.take(connection, changes, Rooms.arrivals(queues.limits(), messages));
        if (full != null) {
            connection.rollback(before);
            changes.refused();
            return Failures.queueIsFull(full.queue(), full.limits());
        }
        if (publish.properties().hasTimes()) {
            storeTimed(connection, call.client(), messages);
        } else {
            store(connection, call.client(), publish, copies);
        }
        for (int i = 0; i < copies.length && publish.properties().delayMillis() == 0; i++) {
            changes.stored(copies[i], current.clientOf(copies[i]), publish.context());
        }
        return new Response.Published(copies.length);
    }

    private static List<OutgoingMessage> messages(TopicRequest.Publish publish, int[] copies) {
        return Arrays.stream(copies).mapToObj(queue -> new OutgoingMessage(queue, 0, publish.priority(),
                publish.context(), "", publish.content(), publish.properties())).toList();
    }

    private static void storeTimed(Connection connection, int sender, List<OutgoingMessage> messages)
            throws SQLException {
        if (!messages.isEmpty()) {
            SendOperations.insert(connection, sender, new int[messages.size()], messages);
        }
    }

    private static void store(Connection connection, int sender, TopicRequest.Publish publish, int[] copies)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PUBLISH)) {
            statement.setInt(1, sender);
            statement.setShort(2, (short) publish.priority());
            statement.setLong(3, publish.context());
            statement.setBytes(4, publish.content());
            statement.setBytes(5, publish.properties().stored());
            statement.setLong(6, System.currentTimeMillis());
            statement.setObject(7, copies);
            statement.executeUpdate();
        }
    }

    /** @return the topic's generation, which stays until the transaction ends; negative if there is no topic */
    private static long lock(Connection connection, int topic) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT generation FROM topic WHERE id = ? FOR SHARE")) {
            statement.setInt(1, topic);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : -1;
            }
        }
    }

    private boolean isFirstOfKey(Connection connection, TopicRequest.Publish publish) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FIRST_OF_KEY)) {
            statement.setInt(1, publish.topic());
            statement.setString(2, publish.key());
            statement.setLong(3, dedupWindow.toMillis());
            return statement.executeUpdate() == 1;
        }
    }
}
