package ch.ethz.mlmq.storage.postgresql.access;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.schema.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Changes the users of a database. Brokers notice within a second. */
public final class AccountScript {
    private final DatabaseAddress address;

    public AccountScript(DatabaseAddress address) {
        this.address = address;
    }

    @FunctionalInterface
    private interface Work<T> {
        T with(Connection connection) throws SQLException, StorageException;
    }

    /**
     * Adds a user.
     *
     * @param verifier of its password; null for a user that signs in by certificate
     * @throws StorageException also if there is such a user
     */
    public void add(String name, ScramVerifier verifier) throws StorageException {
        if (update("INSERT INTO account (name, verifier) VALUES (?, ?) ON CONFLICT DO NOTHING", name,
                verifier == null ? null : verifier.text()) == 0) {
            throw new StorageException("there is a user " + name + " already", null);
        }
    }

    /** Changes the password of a user. Connections that have signed in stay. */
    public void password(String name, ScramVerifier verifier) throws StorageException {
        found(name, update("UPDATE account SET verifier = ? WHERE name = ?", verifier.text(), name));
    }

    /** Removes a user. Its connections are closed; names of its clients stay its own until they are removed. */
    public void remove(String name) throws StorageException {
        found(name, update("DELETE FROM account WHERE name = ?", name));
    }

    /** @return a line for each user */
    public List<String> list() throws StorageException {
        return work(connection -> {
            List<String> lines = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT name, verifier IS NOT NULL FROM account ORDER BY name");
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lines.add(rows.getString(1) + (rows.getBoolean(2) ? "" : " (by certificate only)"));
                }
            }
            return lines;
        });
    }

    private static void found(String name, int rows) throws StorageException {
        if (rows == 0) {
            throw new StorageException("there is no user " + name, null);
        }
    }

    private int update(String sql, String... values) throws StorageException {
        return work(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setString(i + 1, values[i]);
                }
                return statement.executeUpdate();
            }
        });
    }

    private <T> T work(Work<T> work) throws StorageException {
        try (Connection connection = address.connect()) {
            Schema.check(connection);
            return work.with(connection);
        } catch (SQLException e) {
            throw address.unusable(e);
        }
    }
}
