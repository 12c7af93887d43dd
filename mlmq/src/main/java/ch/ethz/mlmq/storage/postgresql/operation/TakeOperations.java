package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.Tokens;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Peek, dequeue and receive for any query: first find candidates in order, then take those that are not locked. */
final class TakeOperations {
    /** Extra candidates of each attempt, because other transactions may take some of them at the same time. */
    private static final int[] SPARES = {16, 4_096};
    /** A filter may have to look at all messages for one more. */
    private static final int[] SPARES_OF_FILTERS = {0, 16, 4_096};

    private static final String COLUMNS =
            "id, queue_id, sender_id, prio, context, sent_ms, deliveries, content, receiver_id, properties";
    private static final String PICK = "SELECT m.ctid FROM unnest(?::text[]::tid[], ?::bigint[]) "
            + "WITH ORDINALITY AS c(place, id, n) JOIN message m ON m.ctid = c.place AND m.id = c.id "
            + "ORDER BY c.n LIMIT ? FOR UPDATE OF m SKIP LOCKED";
    private static final String REMOVE =
            "DELETE FROM message WHERE ctid = ANY (ARRAY(" + PICK + ")) RETURNING " + COLUMNS;
    /** Each message gets the next token of the array. */
    private static final String LEASE = "WITH gone AS (" + REMOVE + "), given AS MATERIALIZED (SELECT gone.*, "
            + "(?::bigint[])[(row_number() OVER ())::int] AS token FROM gone), leased AS (INSERT INTO lease "
            + "(message_id, context, sent_ms, queue_id, receiver_id, sender_id, prio, deliveries, content, "
            + "properties, token, until) SELECT id, context, sent_ms, queue_id, receiver_id, sender_id, prio, "
            + Deliveries.NEXT + ", content, properties, token, now() + ? * interval '1 ms' FROM given) "
            + "SELECT " + COLUMNS + ", token FROM given";

    private static final Comparator<Message> BY_TIME = Comparator.comparingLong(Message::id);
    private static final Comparator<Message> BY_PRIORITY =
            Comparator.comparingInt(Message::priority).reversed().thenComparing(BY_TIME);

    private static final String AT = "SELECT " + COLUMNS + " FROM message WHERE ctid = ANY (?::text[]::tid[]) "
            + "AND id = ANY (?::bigint[])";

    private final QueueDirectory directory;
    private final Duration patience;

    /** @param patience longest time in which a filter looks for messages */
    TakeOperations(QueueDirectory directory, Duration patience) {
        this.directory = directory;
        this.patience = patience;
    }

    /** Finds a message; the response is the message, no message, or the reason why there is none. */
    Response peek(Connection connection, int client, MessageQuery query) throws SQLException {
        if (!query.filter().isEmpty()) {
            return peekFiltered(connection, client, query);
        }
        CandidateQuery candidates = new CandidateQuery(query, client, COLUMNS, 1);
        try (PreparedStatement statement = connection.prepareStatement(candidates.sql())) {
            candidates.bind(statement);
            Message first = first(statement);
            return first == null ? none(connection, query) : new Response.Delivery(first);
        }
    }

    /** Others may take the message that the filter has found before it is read: then the filter looks again. */
    private Response peekFiltered(Connection connection, int client, MessageQuery query) throws SQLException {
        FilterSearch search = new FilterSearch(query, client, patience);
        try (PreparedStatement statement = connection.prepareStatement(AT)) {
            while (true) {
                Candidates candidates = search.find(connection, 1);
                if (candidates.count() == 0) {
                    return none(connection, query);
                }
                candidates.bind(statement);
                Message first = first(statement);
                if (first != null) {
                    return new Response.Delivery(first);
                }
            }
        }
    }

    private Message first(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? message(rows, new Message.Delivery(rows.getInt("deliveries"))) : null;
        }
    }

    Response dequeue(Connection connection, Changes changes, int client, MessageQuery query)
            throws SQLException {
        List<Message> taken = take(connection, changes, client, query, 1, Integer.MAX_VALUE, 0);
        return taken.isEmpty() ? none(connection, query) : new Response.Delivery(taken.get(0));
    }

    /**
     * Takes several messages.
     *
     * @param maxBytes    longest response [bytes]
     * @param leaseMillis lease of each message [ms], or 0 to remove the messages
     */
    Response takeMany(Connection connection, Changes changes, int client, Request.BulkRetrieval bulk, int maxBytes,
            int leaseMillis) throws SQLException {
        MessageQuery query = bulk.query();
        List<Message> taken = take(connection, changes, client, query, bulk.max(), maxBytes, leaseMillis);
        return taken.isEmpty() && none(connection, query) instanceof Response.Failure failure ? failure
                : new Response.Deliveries(taken);
    }

    Response receive(Connection connection, Changes changes, int client, MessageQuery query, int leaseMillis)
            throws SQLException {
        List<Message> taken = take(connection, changes, client, query, 1, Integer.MAX_VALUE, leaseMillis);
        return taken.isEmpty() ? none(connection, query) : new Response.Delivery(taken.get(0));
    }

    private List<Message> take(Connection connection, Changes changes, int client, MessageQuery query, int max,
            int maxBytes, int leaseMillis) throws SQLException {
        List<Message> taken = new ArrayList<>();
        FilterSearch search = query.filter().isEmpty() ? null : new FilterSearch(query, client, patience);
        for (int spare : search == null ? SPARES : SPARES_OF_FILTERS) {
            Candidates candidates = search == null ? candidates(connection, client, query, max + spare)
                    : search.find(connection, max + spare);
            int wanted = taken.size() + candidates.fitting(max - taken.size(), maxBytes, taken);
            pick(connection, candidates, wanted - taken.size(), leaseMillis, taken);
            if (taken.size() == wanted || candidates.count() < max + spare) {
                break;
            }
        }
        taken.sort(query.order() == MessageQuery.Order.TIME ? BY_TIME : BY_PRIORITY);
        taken.forEach(message -> changes.taken(message.queue()));
        return taken;
    }

    private Candidates candidates(Connection connection, int client, MessageQuery query, int count)
            throws SQLException {
        Candidates candidates = new Candidates();
        CandidateQuery asked = new CandidateQuery(query, client, "id", count);
        try (PreparedStatement statement = connection.prepareStatement(asked.sql())) {
            asked.bind(statement);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    candidates.add(rows);
                }
            }
        }
        return candidates;
    }

    private void pick(Connection connection, Candidates candidates, int wanted, int leaseMillis,
            List<Message> taken) throws SQLException {
        if (candidates.count() == 0 || wanted == 0) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(leaseMillis == 0 ? REMOVE : LEASE)) {
            candidates.bind(statement);
            statement.setInt(3, wanted);
            if (leaseMillis != 0) {
                statement.setObject(4, Tokens.ofLeases(Math.min(wanted, candidates.count())));
                statement.setInt(5, leaseMillis);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    int count = Deliveries.next(rows.getInt("deliveries"));
                    long token = leaseMillis == 0 ? 0 : rows.getLong("token");
                    taken.add(message(rows, new Message.Delivery(count, token)));
                }
            }
        }
    }

    private Message message(ResultSet rows, Message.Delivery delivery) throws SQLException {
        int queue = rows.getInt("queue_id");
        int owner = ownerOf(queue, rows);
        int receiver = owner == 0 ? rows.getInt("receiver_id") : owner;
        return new Message(rows.getLong("id"), queue,
                new Message.Envelope(rows.getInt("sender_id"), receiver, rows.getInt("prio"), rows.getLong("context"),
                        rows.getLong("sent_ms"), MessageProperties.ofStored(rows.getBytes("properties"))),
                delivery, rows.getBytes("content"));
    }

    /** A query of any queue finds messages in queues that this broker does not know yet. */
    private int ownerOf(int queue, ResultSet rows) throws SQLException {
        if (directory.queue(queue) == null) {
            directory.loadQueues(rows.getStatement().getConnection(), Set.of(queue));
        }
        return directory.ownerOf(queue);
    }

    /** Finds out why there was no message: the queue is empty, or was deleted. */
    private Response none(Connection connection, MessageQuery query) throws SQLException {
        if (query.queue() == 0) {
            return Response.Delivery.NONE;
        }
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT FROM queue WHERE id = ? AND NOT deleted")) {
            statement.setInt(1, query.queue());
            try (ResultSet rows = statement.executeQuery()) {
                if (rows.next()) {
                    return Response.Delivery.NONE;
                }
            }
        }
        directory.forgetQueue(query.queue());
        return Failures.noQueue(query.queue());
    }
}
