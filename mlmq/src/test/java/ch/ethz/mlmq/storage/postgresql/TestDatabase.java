package ch.ethz.mlmq.storage.postgresql;

import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.schema.DatabaseScript;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;

/** A database for one test, on the server that {@code bin/services env} names. */
public final class TestDatabase implements AutoCloseable {
    private final DatabaseAddress server;
    private final String name = "mlmq_test_" + UUID.randomUUID().toString().replace("-", "");

    /** Makes it, with tables. */
    public TestDatabase() {
        this(server());
    }

    /** Makes it on another server. */
    public TestDatabase(DatabaseAddress server) {
        this.server = server;
        try {
            script().create();
            script().createTables();
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return the server that tests make their databases on */
    public static DatabaseAddress server() {
        return new DatabaseAddress(variable("MLMQ_DB_URL"), variable("MLMQ_DB_USER"), variable("MLMQ_DB_PASSWORD"));
    }

    public DatabaseScript script() {
        return new DatabaseScript(server, name);
    }

    public DatabaseAddress address() {
        return server.withDatabase(name);
    }

    /** @return what a broker needs to use it */
    public Map<String, String> settings() {
        return Map.of("broker.db.url", address().url(), "broker.db.user", server.user(), "broker.db.password",
                server.password());
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = address().connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** @return the number that the query asks for */
    public long number(String sql) throws SQLException {
        try (Connection connection = address().connect(); Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() {
        try {
            script().drop();
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException(
                    name + " is not set: bin/services start, then eval \"$(bin/services env)\", as bin/test does");
        }
        return value;
    }
}
