package ch.ethz.mlmq.storage.postgresql.schema;

import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** The tables of a broker: created from resources, upgraded from earlier versions, and checked before use. */
public final class Schema {
    /** The version that this code and schema.sql need. */
    public static final int VERSION = 11;
    /** The earliest version that can be upgraded. */
    private static final int EARLIEST = 3;
    /** In the order of their creation. */
    private static final List<String> RESOURCES = List.of("schema.sql", "topic.sql", "functions.sql", "access.sql",
            "topic_functions.sql", "limit_functions.sql", "fill.sql");
    /** In an order in which they can be dropped: tables have triggers, and defaults from sequences. */
    private static final List<String> KINDS = List.of("VIEW", "TABLE", "SEQUENCE", "PROCEDURE", "FUNCTION");
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String DEPENDENT_OBJECTS = "2BP01";
    /** Pause between two looks at the brokers' heartbeats, longer than two heartbeats. */
    private static final Duration LOOK_FOR_BROKERS = Duration.ofMillis(2_500);

    private Schema() {
    }

    /** Creates tables and stored procedures in an empty database, all or none. */
    public static void create(Connection connection) throws SQLException {
        transact(connection, statement -> {
            for (String resource : RESOURCES) {
                statement.execute(resource(resource));
            }
        });
    }

    /**
     * Drops the tables and stored procedures of the current version, with all messages, all or none. Everything else in
     * the database stays, also what has the same name in another schema.
     *
     * @param connection finds only the tables of their schema afterwards
     * @throws StorageException if a broker uses them, or if they are missing or of another version, or if anything else
     *                          depends on them, such as a view
     */
    public static void drop(Connection connection) throws SQLException, StorageException {
        check(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT set_config('search_path', quote_ident(nspname), false) FROM pg_namespace WHERE "
                    + "oid = (SELECT relnamespace FROM pg_class WHERE oid = 'schema_version'::regclass)");
        }
        refuseWhereBrokersRun(connection);
        try {
            transact(connection, statement -> {
                statement.execute("SET LOCAL lock_timeout = '5s'");
                for (String kind : KINDS) {
                    statement.execute("DROP " + kind + " IF EXISTS " + String.join(", ", created(kind)));
                }
            });
        } catch (SQLException e) {
            if (DEPENDENT_OBJECTS.equals(e.getSQLState())) {
                throw new StorageException("keeps its tables, since other objects depend on them; drop those first: "
                        + SqlStates.detail(e).replace("\n", ", "), e);
            }
            throw e;
        }
    }

    private static List<String> created(String kind) {
        Pattern pattern = Pattern.compile("(?m)^CREATE (?:OR REPLACE )?" + kind + " (\\w+)");
        return RESOURCES.stream().flatMap(resource -> pattern.matcher(resource(resource)).results())
                .map(found -> found.group(1)).distinct().toList();
    }

    /**
     * Upgrades tables of an earlier version to the current one, all or none.
     *
     * @return the version that they had
     * @throws StorageException if a broker uses them, or if their version cannot be upgraded
     */
    public static int upgrade(Connection connection) throws SQLException, StorageException {
        int version = version(connection);
        if (version > VERSION) {
            throw new StorageException("has tables of version " + version + ", and this program knows " + VERSION
                    + "; use the newer one", null);
        }
        if (version < EARLIEST) {
            throw new StorageException("has tables of version " + version + ", which cannot be upgraded; make a new "
                    + "database with dbscript -createDatabase -createTables", null);
        }
        if (version < VERSION) {
            refuseWhereBrokersRun(connection);
            transact(connection, statement -> {
                statement.execute("SET LOCAL lock_timeout = '5s'");
                for (int next = version + 1; next <= VERSION; next++) {
                    statement.execute(resource("upgrade-" + next + ".sql"));
                }
                statement.execute("DROP FUNCTION IF EXISTS open_session, open_session_of, dead_letter_queue");
                statement.execute(resource("functions.sql"));
                statement.execute(resource("access.sql"));
                statement.execute(resource("topic_functions.sql"));
                statement.execute(resource("limit_functions.sql"));
                statement.execute(resource("fill.sql"));
                statement.execute("UPDATE schema_version SET version = " + VERSION);
            });
        }
        return version;
    }

    private static void refuseWhereBrokersRun(Connection connection) throws SQLException, StorageException {
        Map<String, Long> before = heartbeats(connection);
        LockSupport.parkNanos(before.isEmpty() ? 0 : LOOK_FOR_BROKERS.toNanos());
        List<String> running = heartbeats(connection).entrySet().stream()
                .filter(broker -> !broker.getValue().equals(before.get(broker.getKey()))).map(Map.Entry::getKey)
                .toList();
        if (!running.isEmpty()) {
            throw new StorageException("is used by the brokers " + String.join(", ", running)
                    + "; stop them first", null);
        }
    }

    private static Map<String, Long> heartbeats(Connection connection) throws SQLException {
        Map<String, Long> heartbeats = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, heartbeat FROM broker")) {
            while (rows.next()) {
                heartbeats.put(rows.getString(1), rows.getLong(2));
            }
        }
        return heartbeats;
    }

    /** @throws StorageException if the tables are missing or of another version */
    public static void check(Connection connection) throws SQLException, StorageException {
        int version = version(connection);
        if (version != VERSION) {
            throw new StorageException("has tables of version " + version + " where this broker needs " + VERSION
                    + (version < VERSION ? "; stop all brokers and upgrade them with dbscript --upgrade"
                            : "; use the newer broker"), null);
        }
    }

    private static int version(Connection connection) throws SQLException, StorageException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT version FROM schema_version")) {
            return rows.next() ? rows.getInt(1) : 0;
        } catch (SQLException e) {
            if (UNDEFINED_TABLE.equals(e.getSQLState())) {
                throw new StorageException("has no MLMQ tables; make them with dbscript -createTables", e);
            }
            throw e;
        }
    }

    @FunctionalInterface
    private interface Work {
        void with(Statement statement) throws SQLException;
    }

    private static void transact(Connection connection, Work work) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            work.with(statement);
            connection.commit();
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    static String resource(String name) {
        try (InputStream in = Schema.class.getResourceAsStream("/db/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
