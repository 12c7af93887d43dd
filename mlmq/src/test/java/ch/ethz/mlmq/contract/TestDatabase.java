package ch.ethz.mlmq.contract;

import ch.ethz.mlmq.db.DatabaseAddress;
import ch.ethz.mlmq.db.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;

/** A database of a test class's own, on the server that {@code bin/services env} names. */
final class TestDatabase {
    private final DatabaseAddress server;
    private final String name;

    private TestDatabase(DatabaseAddress server, String name) {
        this.server = server;
        this.name = name;
    }

    static TestDatabase create() {
        DatabaseAddress server = new DatabaseAddress(variable("MLMQ_DB_URL"), variable("MLMQ_DB_USER"),
                variable("MLMQ_DB_PASSWORD"));
        TestDatabase database = new TestDatabase(server, "contract_" + UUID.randomUUID().toString().replace("-", ""));
        database.execute(server, "CREATE DATABASE " + database.name);
        try (Connection connection = database.address().connect()) {
            Schema.create(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return database;
    }

    Map<String, String> settings() {
        return Map.of("broker.db.url", address().url(), "broker.db.user", server.user(),
                "broker.db.password", server.password());
    }

    void execute(String sql) {
        execute(address(), sql);
    }

    void drop() {
        execute(server, "DROP DATABASE " + name + " WITH (FORCE)");
    }

    private DatabaseAddress address() {
        return server.withDatabase(name);
    }

    private void execute(DatabaseAddress address, String sql) {
        try (Connection connection = address.connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
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
