package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.storage.Tokens;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rows that a client has received and not acknowledged yet. An open transaction keeps them locked. It has a
 * connection of its own, so that the client's sends and takes in between are committed at once, and survive a rollback.
 */
final class LockedRows {
    private final Connection connection;
    private final PreparedStatement delete;
    /** The place of each locked row in the table (ctid); it stays the same as long as the row is locked. */
    private final Map<Lease, String> places = new HashMap<>();
    private long token;

    private LockedRows(Connection connection, String schema) throws SQLException {
        this.connection = connection;
        delete = connection.prepareStatement("DELETE FROM " + schema + ".message WHERE ctid = ANY (?)");
    }

    static LockedRows open(DatabaseAddress address, String schema, long timeoutMillis) throws SQLException {
        Connection connection = address.connect();
        try {
            try (Statement statement = connection.createStatement()) {
                statement.execute(DatabaseSession.SETTINGS + timeoutMillis);
            }
            connection.setAutoCommit(false);
            return new LockedRows(connection, schema);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Reads locked rows. */
    interface Reader<T> {
        /** @param token of the leases of these rows */
        T read(ResultSet rows, long token) throws SQLException;
    }

    Connection connection() {
        return connection;
    }

    /**
     * Locks rows. Those that are still locked are released first.
     *
     * @param select locks rows, and is of this connection
     * @param reader calls {@link #locked} for each row
     */
    <T> T lock(PreparedStatement select, Reader<T> reader) throws SQLException {
        if (!places.isEmpty()) {
            release();
        }
        token = Tokens.ofALease();
        try (ResultSet rows = select.executeQuery()) {
            T read = reader.read(rows, token);
            if (places.isEmpty()) {
                connection.commit();
            }
            return read;
        } catch (SQLException e) {
            release();
            throw e;
        }
    }

    /** Remembers where a row is. */
    void locked(long id, String place) {
        places.put(new Lease(id, token), place);
    }

    /**
     * Deletes locked rows and commits. The other locked rows are released with the end of the transaction.
     *
     * @return the leases of the deleted rows
     */
    Set<Lease> delete(List<Lease> leases) throws SQLException {
        Set<Lease> known = new LinkedHashSet<>(leases);
        known.retainAll(places.keySet());
        if (!known.isEmpty()) {
            try {
                delete.setArray(1, connection.createArrayOf("tid", known.stream().map(places::get).toArray()));
                delete.executeUpdate();
                connection.commit();
                places.clear();
            } catch (SQLException e) {
                release();
                throw e;
            }
        }
        return known;
    }

    private void release() throws SQLException {
        places.clear();
        connection.rollback();
    }
}
