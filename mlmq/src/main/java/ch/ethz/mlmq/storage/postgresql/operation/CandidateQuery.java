package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.protocol.MessageQuery;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the first messages that a client may take, in the order of the query.
 *
 * <p>It reads a queue from the beginning of its order: once for messages to any receiver and, if there are any with a
 * receiver, once for those to the calling client. So no query walks over messages for others. A context has an index of
 * its own.
 */
final class CandidateQuery {
    private static final String READABLE = "NOT q.deleted AND CASE WHEN %s.receiver_id = 0 "
            + "THEN q.owner_id = ? OR q.owner_id = 0 AND NOT ? "
            + "ELSE q.owner_id = 0 AND q.addressed AND %1$s.receiver_id = ? END";

    private final StringBuilder sql = new StringBuilder();
    private final List<Object> parameters = new ArrayList<>();
    private final MessageQuery query;
    private final int client;
    private final int limit;

    /**
     * @param columns of the message to return, beside its place {@code ctid} and its {@code bytes}
     * @param limit   largest number of candidates
     */
    CandidateQuery(MessageQuery query, int client, String columns, int limit) {
        this.query = query;
        this.client = client;
        this.limit = limit;
        boolean byTime = query.order() == MessageQuery.Order.TIME;
        sql.append("SELECT m.ctid, octet_length(m.content) + COALESCE(octet_length(m.properties), 0) AS bytes, m.")
                .append(columns.replace(", ", ", m."));
        if (query.context() != 0) {
            byContext();
        } else {
            byQueue(byTime);
        }
        if (query.queue() != 0) {
            append(" AND q.id = ?", query.queue());
        } else {
            sql.append(" AND NOT q.dead");
        }
        append(byTime ? " ORDER BY m.id LIMIT ?" : " ORDER BY m.prio DESC, m.id LIMIT ?", limit);
    }

    String sql() {
        return sql.toString();
    }

    void bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            statement.setObject(i + 1, parameters.get(i));
        }
    }

    private void byContext() {
        append(" FROM (SELECT ctid, * FROM message WHERE context = ? AND context <> 0", query.context());
        sender();
        sql.append(" OFFSET 0) m JOIN queue q ON q.id = m.queue_id WHERE ");
        readable("m");
    }

    /** Reads the queue. Ordered by time, each priority has a row of its own, and each row is in order of time. */
    private void byQueue(boolean byTime) {
        if (query.queue() == 0) {
            // Without this the query would look into the queues of all clients.
            append(" FROM (SELECT * FROM queue WHERE owner_id IN (0, ?)) q", client);
        } else {
            sql.append(" FROM queue q");
        }
        append(" CROSS JOIN (VALUES (0), (?)) AS r(receiver_id)", client);
        if (byTime) {
            sql.append(" CROSS JOIN generate_series(1, 10) AS p(prio)");
        }
        sql.append(" CROSS JOIN LATERAL (SELECT ctid, * FROM message m"
                + " WHERE m.queue_id = q.id AND m.receiver_id = r.receiver_id");
        if (byTime) {
            sql.append(" AND m.prio = p.prio");
        }
        sender();
        append(byTime ? " ORDER BY m.id LIMIT ?" : " ORDER BY m.prio DESC, m.id LIMIT ?", limit);
        sql.append(") m WHERE ");
        readable("r");
    }

    private void sender() {
        if (query.sender() != 0) {
            append(" AND sender_id = ?", query.sender());
        }
    }

    private void readable(String receiverOf) {
        sql.append(String.format(READABLE, receiverOf));
        parameters.add(client);
        parameters.add(query.toMe());
        parameters.add(client);
    }

    private void append(String text, Object parameter) {
        sql.append(text);
        parameters.add(parameter);
    }
}
