package ch.ethz.mlmq.storage.postgresql.schema;

import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Creates, fills and drops a broker's database. */
public final class DatabaseScript {
    private final DatabaseAddress server;
    private final DatabaseAddress database;
    private final String name;

    /**
     * @param server any database of the server, from which the database is created and dropped
     * @param name   of the database
     */
    public DatabaseScript(DatabaseAddress server, String name) {
        this.server = server;
        this.database = server.withDatabase(name);
        this.name = '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Creates the database. */
    public void create() throws StorageException {
        execute(server, "CREATE DATABASE " + name);
    }

    /** Drops the database, with all connections to it; has no effect if there is none. */
    public void drop() throws StorageException {
        execute(server, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }

    /** Creates tables and stored procedures. */
    public void createTables() throws StorageException {
        try (Connection connection = database.connect()) {
            Schema.create(connection);
        } catch (SQLException e) {
            throw database.unusable(e);
        }
    }

    /** Drops tables and stored procedures, with all messages. */
    public void dropTables() throws StorageException {
        try (Connection connection = database.connect()) {
            Schema.drop(connection);
        } catch (SQLException | StorageException e) {
            throw database.unusable(e);
        }
    }

    /** Drops all indexes of messages that can be taken, so that each take reads and sorts all of them. */
    public void dropIndexesOfMessages() throws StorageException {
        execute(database, "DROP INDEX message_order, message_receiver, message_context");
    }

    /**
     * Upgrades the tables to the current version.
     *
     * @return the version that they had
     */
    public int upgrade() throws StorageException {
        try (Connection connection = database.connect()) {
            return Schema.upgrade(connection);
        } catch (SQLException | StorageException e) {
            throw database.unusable(e);
        }
    }

    /**
     * Creates queues {@code queue1…} and clients {@code client1…}, if they are missing, and messages spread over the
     * queues.
     *
     * @param contentBytes of each message [bytes]
     */
    public void fill(int queues, int messages, int clients, int contentBytes) throws StorageException {
        try (Connection connection = database.connect()) {
            Schema.check(connection);
            try (PreparedStatement statement = connection.prepareStatement("CALL fill(?, ?, ?, ?)")) {
                statement.setInt(1, queues);
                statement.setInt(2, messages);
                statement.setInt(3, clients);
                statement.setInt(4, contentBytes);
                statement.execute();
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("VACUUM ANALYZE message");
            }
        } catch (SQLException | StorageException e) {
            throw database.unusable(e);
        }
    }

    private static void execute(DatabaseAddress address, String sql) throws StorageException {
        try (Connection connection = address.connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw address.unusable(e);
        }
    }
}
