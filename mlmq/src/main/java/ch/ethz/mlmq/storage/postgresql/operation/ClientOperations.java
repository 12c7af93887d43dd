package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.TemporaryClients;
import ch.ethz.mlmq.storage.postgresql.membership.BrokerIdentity;
import ch.ethz.mlmq.storage.postgresql.membership.Hints;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Operations on clients: registration and lookups. */
final class ClientOperations {
    /** The users that get a new name, each with one such name, in the order in which their locks are taken. */
    private static final String NEW_NAMES = "SELECT hashtextextended('clients of ' || r.account, 0) AS key, "
            + "min(r.place) FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS r (name, account, place) "
            + "WHERE NOT EXISTS (SELECT FROM client c JOIN client_account a ON a.client_id = c.id "
            + "WHERE c.name = r.name) GROUP BY key ORDER BY key";

    private final QueueDirectory directory;
    private final BrokerIdentity identity;
    private final int maxOfUser;

    /** @param maxOfUser names of clients that a user may have; 0 for no limit */
    ClientOperations(QueueDirectory directory, BrokerIdentity identity, int maxOfUser) {
        this.directory = directory;
        this.maxOfUser = maxOfUser;
        this.identity = identity;
    }

    /**
     * Takes the locks of users whose clients get new names, all before any other lock of the transaction and in one
     * order: transactions that register clients of the same users would wait for each other.
     */
    void lockUsers(Connection connection, List<Call> calls) throws SQLException {
        List<Call> all = maxOfUser == 0 ? List.of() : calls.stream().filter(call -> !call.user().isEmpty()
                && call.request() instanceof Request.Register).toList();
        if (all.size() < 2) {
            return;
        }
        Map<Long, Call> users = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(NEW_NAMES)) {
            statement.setObject(1, all.stream().map(call -> ((Request.Register) call.request()).name())
                    .toArray(String[]::new));
            statement.setObject(2, all.stream().map(Call::user).toArray(String[]::new));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    users.put(rows.getLong(1), all.get(rows.getInt(2) - 1));
                }
            }
        }
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_advisory_xact_lock(?)")) {
            for (Map.Entry<Long, Call> user : users.entrySet()) {
                statement.setLong(1, user.getKey());
                try {
                    statement.execute();
                } catch (SQLException e) {
                    throw new CallFailedException(user.getValue(), e);
                }
            }
        }
    }

    Response register(Connection connection, Call call, Request.Register register) throws SQLException {
        String name = register.name();
        boolean ofAUser = !call.user().isEmpty();
        try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM "
                + (ofAUser ? "open_session_of(?, ?, ?, ?, ?, ?, ?)" : "open_session(?, ?, ?, ?, ?)"))) {
            statement.setString(1, name);
            statement.setInt(2, identity.id());
            statement.setLong(3, register.token());
            statement.setLong(4, TemporaryClients.newToken(register));
            statement.setString(5, Hints.CHANNEL);
            if (ofAUser) {
                statement.setString(6, call.user());
                statement.setInt(7, maxOfUser);
            }
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                int client = rows.getInt(1);
                int queue = rows.getInt(2);
                long session = rows.getLong(3);
                if (client < 0) {
                    return new Response.Failure(Status.OVERLOADED, "user " + call.user() + " has as many names of "
                            + "clients as " + BrokerKeys.USER_CLIENTS.name() + "=" + maxOfUser + " allows");
                }
                if (client == 0) {
                    return new Response.Failure(Status.NOT_PERMITTED, "client " + name + " belongs to another user");
                }
                directory.learnClient(client, queue);
                long token = rows.getLong(4);
                if (session == 0) {
                    return new Response.Failure(Status.CLIENT_ALREADY_ONLINE, "client " + name
                            + " is online at another broker" + (token == 0 ? ""
                            : ", which is ending that session; register again in a moment"));
                }
                call.opened(new Storage.Session(client, session));
                return new Response.Registered(client, queue, token);
            }
        }
    }

    Response lookup(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT id FROM client WHERE name = ?")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new Response.ClientFound(rows.getInt(1), name) : Failures.noClient(name);
            }
        }
    }

    Response lookupQueue(Connection connection, Request.LookupClientQueue lookup) throws SQLException {
        boolean byId = lookup.client() != 0;
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT id, queue_id, name FROM client WHERE " + (byId ? "id" : "name") + " = ?")) {
            if (byId) {
                statement.setInt(1, lookup.client());
            } else {
                statement.setString(1, lookup.name());
            }
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    if (byId) {
                        return Failures.noClient(lookup.client());
                    }
                    return lookup.name().endsWith(Limits.DEAD_LETTERS) ? deadLetters(connection, lookup.name())
                            : Failures.noClient(lookup.name());
                }
                directory.learnClient(rows.getInt(1), rows.getInt(2));
                return new Response.QueueFound(rows.getInt(2), rows.getString(3));
            }
        }
    }

    /** @param name of a client, and {@code .dead} */
    private Response deadLetters(Connection connection, String name) throws SQLException {
        String client = name.substring(0, name.length() - Limits.DEAD_LETTERS.length());
        try (PreparedStatement statement = connection.prepareStatement("SELECT c.id, q.id FROM client c LEFT JOIN "
                + "queue q ON q.owner_id = c.id AND q.name = ? AND q.dead AND NOT q.deleted WHERE c.name = ?")) {
            statement.setString(1, name);
            statement.setString(2, client);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return Failures.noClient(client);
                }
                if (rows.getInt(2) == 0) {
                    return Failures.noDeadLetters(name);
                }
                directory.learnQueue(rows.getInt(2), rows.getInt(1), false);
                return new Response.QueueFound(rows.getInt(2), name);
            }
        }
    }
}
