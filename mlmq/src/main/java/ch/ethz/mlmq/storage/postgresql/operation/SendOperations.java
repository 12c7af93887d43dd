package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Sends to several queues, with a receiver or a key, or in bulk; stores all messages or none. */
final class SendOperations {
    private static final String COLUMNS =
            "queue_id, receiver_id, sender_id, prio, context, content, properties";
    private static final String ARRAYS = "?::int[], ?::int[], ?::int[], ?::int2[], ?::int8[], ?::bytea[], ?::bytea[]";
    private static final String INSERT = "INSERT INTO message (" + COLUMNS + ", sent_ms) SELECT d.*, ? FROM unnest("
            + ARRAYS + ") AS d";
    /** A delayed message is leased by nobody: no lease that a client names has the token 0. */
    private static final String INSERT_TIMED = "WITH sent AS MATERIALIZED (SELECT "
            + "nextval(pg_get_serial_sequence('message', 'id')) AS id, ?::int8 AS sent_ms, d.* FROM unnest(" + ARRAYS
            + ", ?::int8[], ?::int8[]) AS d(" + COLUMNS + ", delay, ttl)), "
            + "stored AS (INSERT INTO message (id, sent_ms, " + COLUMNS + ") SELECT id, sent_ms, " + COLUMNS
            + " FROM sent WHERE delay = 0), "
            + "delayed AS (INSERT INTO lease (message_id, sent_ms, " + COLUMNS + ", deliveries, token, until) "
            + "SELECT id, sent_ms, " + COLUMNS + ", 0, 0, now() + delay * interval '1 ms' FROM sent WHERE delay > 0) "
            + "INSERT INTO expiry (message_id, queue_id, receiver_id, prio, due) SELECT id, queue_id, receiver_id, "
            + "prio, now() + (delay + ttl) * interval '1 ms' FROM sent WHERE ttl > 0";

    private final QueueDirectory directory;
    private final Duration dedupWindow;

    SendOperations(QueueDirectory directory, Duration dedupWindow) {
        this.directory = directory;
        this.dedupWindow = dedupWindow;
    }

    Response send(Connection connection, Changes changes, Call call, Request.SendMessage send)
            throws SQLException {
        List<OutgoingMessage> messages = new ArrayList<>(send.queues().length);
        for (int queue : send.queues()) {
            messages.add(new OutgoingMessage(queue, send.receiver(), send.priority(), send.context(), send.key(),
                    send.content(), send.properties()));
        }
        return send(connection, changes, call, messages);
    }

    Response send(Connection connection, Changes changes, Call call, List<OutgoingMessage> messages)
            throws SQLException {
        Response failure = check(connection, messages);
        if (failure != null) {
            return failure;
        }
        Savepoint before = messages.stream().anyMatch(message -> directory.limits().isBounded(message.queue()))
                ? connection.setSavepoint() : null;
        List<OutgoingMessage> fresh = withoutDuplicates(connection, messages);
        Rooms.Full full = before == null ? null : Rooms.take(connection, changes,
                Rooms.arrivals(directory.limits(), fresh));
        if (full != null) {
            connection.rollback(before);
            changes.refused();
            return Failures.queueIsFull(full.queue(), full.limits());
        }
        if (!fresh.isEmpty()) {
            // All messages of a personal queue are for its owner, so they name no receiver.
            insert(connection, call.client(), fresh.stream()
                    .mapToInt(m -> directory.ownerOf(m.queue()) == 0 ? m.receiver() : 0).toArray(), fresh);
        }
        fresh.stream().filter(message -> message.properties().delayMillis() == 0)
                .forEach(message -> changes.stored(message.queue(), receiver(message), message.context()));
        return Response.Done.INSTANCE;
    }

    private Response check(Connection connection, List<OutgoingMessage> messages) throws SQLException {
        Set<Integer> queues = new TreeSet<>();
        Set<Integer> receivers = new TreeSet<>();
        for (OutgoingMessage message : messages) {
            queues.add(message.queue());
            if (message.receiver() != 0) {
                receivers.add(message.receiver());
            }
        }
        // A client may have been removed since it was looked up.
        Set<Integer> clients = receivers.isEmpty() ? Set.of() : directory.loadClients(connection, receivers);
        Set<Integer> existing = directory.loadQueues(connection, queues);
        Set<Integer> toAddress = new TreeSet<>();
        for (OutgoingMessage message : messages) {
            QueueDirectory.Entry entry = directory.queue(message.queue());
            if (entry == null || !existing.contains(message.queue())) {
                directory.forgetQueue(message.queue());
                return Failures.noQueue(message.queue());
            }
            if (message.receiver() != 0 && !clients.contains(message.receiver())) {
                return Failures.noClient(message.receiver());
            }
            if (entry.owner() != 0 && message.receiver() != 0 && message.receiver() != entry.owner()) {
                return Failures.notForReceiver(message.queue());
            }
            if (entry.owner() == 0 && message.receiver() != 0 && !entry.addressed()) {
                toAddress.add(message.queue());
            }
        }
        address(connection, toAddress);
        return null;
    }

    /** Marks the queue as no longer plain, in the same transaction as its first message with a receiver. */
    private void address(Connection connection, Set<Integer> queues) throws SQLException {
        for (int queue : queues) {
            try (PreparedStatement statement = connection.prepareStatement(
                    "UPDATE queue SET addressed = true WHERE id = ?")) {
                statement.setInt(1, queue);
                statement.executeUpdate();
            }
        }
    }

    private List<OutgoingMessage> withoutDuplicates(Connection connection, List<OutgoingMessage> messages)
            throws SQLException {
        if (messages.stream().allMatch(message -> message.key().isEmpty())) {
            return messages;
        }
        Set<List<Object>> seen = new HashSet<>();
        List<OutgoingMessage> fresh = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO dedup "
                + "VALUES (?, ?, now() + ? * interval '1 ms') ON CONFLICT (queue_id, key) DO UPDATE "
                + "SET expires_at = excluded.expires_at WHERE dedup.expires_at < now()")) {
            for (OutgoingMessage message : messages) {
                boolean isFresh = message.key().isEmpty();
                if (!isFresh && seen.add(List.of(message.queue(), message.key()))) {
                    statement.setInt(1, message.queue());
                    statement.setString(2, message.key());
                    statement.setLong(3, dedupWindow.toMillis());
                    isFresh = statement.executeUpdate() == 1;
                }
                if (isFresh) {
                    fresh.add(message);
                }
            }
        }
        return fresh;
    }

    private int receiver(OutgoingMessage message) {
        int owner = directory.ownerOf(message.queue());
        return owner == 0 ? message.receiver() : owner;
    }

    /** Stores messages. @param receivers of each; 0 for anybody, or for the owner of a personal queue */
    static void insert(Connection connection, int sender, int[] receivers, List<OutgoingMessage> messages)
            throws SQLException {
        int size = messages.size();
        int[] queues = messages.stream().mapToInt(OutgoingMessage::queue).toArray();
        short[] priorities = new short[size];
        byte[][] contents = new byte[size][];
        byte[][] properties = new byte[size][];
        for (int i = 0; i < size; i++) {
            priorities[i] = (short) messages.get(i).priority();
            contents[i] = messages.get(i).content();
            properties[i] = messages.get(i).properties().stored();
        }
        int[] senders = new int[size];
        Arrays.fill(senders, sender);
        boolean timed = messages.stream().anyMatch(message -> message.properties().hasTimes());
        try (PreparedStatement statement = connection.prepareStatement(timed ? INSERT_TIMED : INSERT)) {
            statement.setLong(1, System.currentTimeMillis());
            statement.setObject(2, queues);
            statement.setObject(3, receivers);
            statement.setObject(4, senders);
            statement.setObject(5, priorities);
            statement.setObject(6, messages.stream().mapToLong(OutgoingMessage::context).toArray());
            statement.setObject(7, contents);
            statement.setObject(8, properties);
            if (timed) {
                statement.setObject(9, messages.stream().mapToLong(m -> m.properties().delayMillis()).toArray());
                statement.setObject(10, messages.stream().mapToLong(m -> m.properties().timeToLiveMillis()).toArray());
            }
            statement.executeUpdate();
        }
    }
}
