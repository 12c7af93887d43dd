package ch.ethz.mlmq.db;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables a broker needs: made from resources, and checked before use. */
public final class Schema {
    /** The version this code is written for. */
    public static final int VERSION = 5;
    private static final String UNDEFINED_TABLE = "42P01";

    private Schema() {
    }

    /** Makes tables and stored procedures in an empty database, all or none. */
    public static void create(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(resource("schema.sql"));
            statement.execute(resource("functions.sql"));
            statement.execute(resource("fill.sql"));
            connection.commit();
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** @throws StorageException where the tables are missing or of another version */
    public static void check(Connection connection) throws SQLException, StorageException {
        int version;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT version FROM schema_version")) {
            version = rows.next() ? rows.getInt(1) : 0;
        } catch (SQLException e) {
            if (UNDEFINED_TABLE.equals(e.getSQLState())) {
                throw new StorageException("has no MLMQ tables; make them with dbscript -createTables", e);
            }
            throw e;
        }
        if (version != VERSION) {
            throw new StorageException("has tables of version " + version + " where this broker needs " + VERSION
                    + (version < VERSION ? "; upgrade them as docs/broker.md says, or make a new database with "
                            + "dbscript -createDatabase -createTables"
                            : "; use the newer broker"));
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
