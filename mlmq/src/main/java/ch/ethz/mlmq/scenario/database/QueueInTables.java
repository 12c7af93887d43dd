package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.link.Numbering;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Queues in a database, over one connection, beside that of locked rows. Each call is a transaction, or two if pgmq
 * needs two.
 */
abstract class QueueInTables {
    final Connection connection;
    final String schema;
    private final PreparedStatement register;
    private final PreparedStatement lookup;

    QueueInTables(Connection connection, String schema) throws SQLException {
        this.connection = connection;
        this.schema = schema;
        register = connection.prepareStatement("INSERT INTO " + schema + ".client (name) VALUES (?) "
                + "ON CONFLICT DO NOTHING");
        lookup = connection.prepareStatement("SELECT FROM " + schema + ".client WHERE name = ?");
    }

    /** Creates the queue if it is missing. */
    abstract void create(int queue, Numbering numbering) throws SQLException;

    /** @return true if the queue exists */
    abstract boolean exists(int queue, Numbering numbering) throws SQLException;

    /** Sends messages whose receivers have been resolved to queues; those of one queue are stored all or none. */
    abstract void send(List<OutgoingMessage> messages, Numbering numbering) throws SQLException;

    /** @return a message, removed from the queue, or null */
    abstract Message take(int queue, MessageQuery query, Numbering numbering) throws SQLException;

    /** @return up to {@code max} messages, removed from the queue by one statement; empty if there is none */
    abstract List<Message> takeMany(int queue, Request.DequeueMessages request, Numbering numbering)
            throws SQLException;

    /** @return up to {@code max} messages under leases; empty if there is none */
    abstract List<Message> receive(int queue, Request.ReceiveMessages request, Numbering numbering)
            throws SQLException;

    /**
     * Removes received messages from their queues.
     *
     * @return the leases that were still valid
     */
    abstract Set<Lease> acknowledge(List<Lease> leases, Numbering numbering) throws SQLException;

    /** Closes the sockets, even while another thread reads from them. */
    void abort() {
        DatabaseSession.abort(connection);
    }

    /** Ends all leases. */
    void release() throws SQLException {
    }

    void close() throws SQLException {
        connection.close();
    }

    void register(String client) throws SQLException {
        register.setString(1, client);
        register.executeUpdate();
    }

    boolean isRegistered(String client) throws SQLException {
        lookup.setString(1, client);
        try (ResultSet rows = lookup.executeQuery()) {
            return rows.next();
        }
    }
}
