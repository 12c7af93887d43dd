package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Operations on queues: create, delete, look up, and find those with messages. */
final class QueueOperations {
    /** Messages of a queue that are counted one by one. */
    private static final int COUNTED = 1_000;
    /** Leases of a queue that are counted one by one; no counter has the number of more. */
    private static final int COUNTED_LEASES = 10_000;
    /** Counts few messages, or reads the counter of many; so a long queue costs no more than a short one. */
    private static final String LENGTH = "SELECT CASE WHEN few.n < " + COUNTED
            + " THEN few.n ELSE GREATEST(few.n, l.messages) END, leased.n FROM queue q "
            + "LEFT JOIN queue_length l ON l.queue_id = q.id, LATERAL (SELECT count(*) AS n FROM (SELECT "
            + "FROM message m WHERE m.queue_id = q.id LIMIT " + COUNTED + ") head) few, LATERAL (SELECT "
            + "count(*) AS n FROM (SELECT FROM lease WHERE lease.queue_id = q.id LIMIT " + COUNTED_LEASES
            + ") head) leased WHERE q.id = ? AND NOT q.deleted AND q.owner_id IN (0, ?)";

    private static final String TO_ME = "q.addressed AND EXISTS (SELECT FROM message m WHERE m.queue_id = q.id "
            + "AND m.receiver_id = ?)";
    private static final String TO_ANYBODY =
            "EXISTS (SELECT FROM message m WHERE m.queue_id = q.id AND m.receiver_id = 0)";

    private static final String OWNED =
            "SELECT queues_of(?), EXISTS (SELECT FROM queue WHERE owner_id = 0 AND name = ?)";

    private final QueueDirectory directory;
    private final int maxOfUser;

    /** @param maxOfUser queues that a user may own; 0 for no limit */
    QueueOperations(QueueDirectory directory, int maxOfUser) {
        this.directory = directory;
        this.maxOfUser = maxOfUser;
    }

    /** @param user that owns it; empty for none */
    Response create(Connection connection, String name, String user) throws SQLException {
        if (maxOfUser > 0 && !user.isEmpty() && hasTooMany(connection, name, user)) {
            return tooMany(user, maxOfUser);
        }
        try (PreparedStatement statement = connection.prepareStatement("WITH made AS (INSERT INTO queue (name) "
                + "SELECT ? WHERE NOT EXISTS (SELECT FROM queue WHERE owner_id = 0 AND name = ?) "
                + "ON CONFLICT (owner_id, name) DO NOTHING RETURNING id), "
                + "counted AS (INSERT INTO queue_length SELECT id, 0 FROM made)" + (user.isEmpty() ? "" : ", "
                + "owned AS (INSERT INTO queue_account SELECT id, ? FROM made)") + " SELECT id FROM made")) {
            statement.setString(1, name);
            statement.setString(2, name);
            if (!user.isEmpty()) {
                statement.setString(3, user);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new Response.QueueFound(rows.getInt(1), name)
                        : new Response.Failure(Status.QUEUE_EXISTS, "there is a queue " + name + " already");
            }
        }
    }

    static Response.Failure tooMany(String user, int most) {
        return new Response.Failure(Status.OVERLOADED, "user " + user + " has as many queues and topics as "
                + BrokerKeys.USER_QUEUES.name() + "=" + most + " allows");
    }

    private boolean hasTooMany(Connection connection, String name, String user) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(OWNED)) {
            statement.setString(1, user);
            statement.setString(2, name);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1) >= maxOfUser && !rows.getBoolean(2);
            }
        }
    }

    Response lookup(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT id, addressed FROM queue WHERE name = ? AND owner_id = 0 AND NOT deleted")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return Failures.noQueue(name);
                }
                directory.learnQueue(rows.getInt(1), 0, rows.getBoolean(2));
                return new Response.QueueFound(rows.getInt(1), name);
            }
        }
    }

    /**
     * Marks the queue as deleted; its messages are removed later, see {@code Cleaning}. If it must be empty, this waits
     * until no transaction is storing a message, so that every acknowledged message counts.
     */
    Response delete(Connection connection, int client, Request.DeleteQueue delete) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT obstacle, owner FROM delete_queue(?, ?)")) {
            statement.setInt(1, delete.queue());
            statement.setBoolean(2, delete.onlyIfEmpty());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                String obstacle = rows.getString(1);
                if ("personal".equals(obstacle)) {
                    return Failures.staysWithClient(delete.queue(), rows.getInt(2), client);
                } else if ("not empty".equals(obstacle)) {
                    return new Response.Failure(Status.QUEUE_NOT_EMPTY, "queue " + delete.queue() + " is not empty");
                }
                directory.forgetQueue(delete.queue());
                return obstacle == null ? Response.Done.INSTANCE : Failures.noQueue(delete.queue());
            }
        }
    }

    Response length(Connection connection, int client, int queue) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LENGTH)) {
            statement.setInt(1, queue);
            statement.setInt(2, client);
            try (ResultSet rows = statement.executeQuery()) {
                if (rows.next()) {
                    return new Response.QueueLength(rows.getLong(1), rows.getLong(2));
                }
            }
        }
        return directory.loadQueues(connection, Set.of(queue)).isEmpty() ? Failures.noQueue(queue)
                : Failures.notOwner(queue);
    }

    /** Moves or removes messages. Requests that wait in the target learn of them after the commit. */
    Response move(Connection connection, Changes changes, int client, MoveMessages move) throws SQLException {
        List<Integer> named = move.target() == 0 ? List.of(move.queue()) : List.of(move.queue(), move.target());
        Set<Integer> there = directory.loadQueues(connection, named);
        for (int queue : named) {
            if (!there.contains(queue)) {
                directory.forgetQueue(queue);
                return Failures.noQueue(queue);
            }
            if (!directory.queue(queue).mayBeReadBy(client)) {
                return Failures.notOwner(queue);
            }
        }
        int moved = 0;
        int owner = directory.ownerOf(move.target());
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT receiver_id, context FROM move_messages(?, ?, " + Long.MAX_VALUE + ", ?)")) {
            statement.setInt(1, move.queue());
            statement.setInt(2, move.target());
            statement.setInt(3, move.max());
            try (ResultSet rows = statement.executeQuery()) {
                for (; rows.next(); moved++) {
                    changes.taken(move.queue());
                    if (move.target() != 0) {
                        changes.stored(move.target(), owner == 0 ? rows.getInt(1) : owner, rows.getLong(2));
                    }
                }
            }
        }
        return new Response.Moved(moved);
    }

    /** Counts messages of the client's own queue up to {@link #COUNTED}; beyond that the counters give the number. */
    Response pending(Connection connection, int client, Request.QueuesWithPendingMessages query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT CASE WHEN n < " + COUNTED
                + " THEN n ELSE GREATEST(n, l.messages) END FROM client c LEFT JOIN queue_length l USING (queue_id), "
                + "LATERAL (SELECT count(*) AS n FROM (SELECT FROM message m WHERE m.queue_id = c.queue_id "
                + "AND m.receiver_id = 0 LIMIT " + COUNTED + ") AS head) AS own WHERE c.id = ?");
                PreparedStatement queues = connection.prepareStatement("SELECT q.id FROM queue q "
                        + "WHERE q.owner_id = 0 AND NOT q.deleted AND ("
                        + (query.toMe() ? TO_ME : TO_ANYBODY + " OR " + TO_ME) + ") ORDER BY q.id LIMIT ?")) {
            statement.setInt(1, client);
            queues.setInt(1, client);
            queues.setInt(2, query.max());
            try (ResultSet own = statement.executeQuery(); ResultSet rows = queues.executeQuery()) {
                own.next();
                List<Integer> ids = new ArrayList<>();
                while (rows.next()) {
                    ids.add(rows.getInt(1));
                }
                return new Response.PendingQueues((int) own.getLong(1),
                        ids.stream().mapToInt(Integer::intValue).toArray());
            }
        }
    }
}
