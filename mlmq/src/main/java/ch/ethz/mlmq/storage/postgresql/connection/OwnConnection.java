package ch.ethz.mlmq.storage.postgresql.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A connection outside the pool for one agent, opened when it is needed, and again after it broke. Every wait for the
 * server is limited, so a network that drops packets is noticed; so are waits of the server for the agent: see
 * {@link SessionLimits}. Used by one thread.
 */
public final class OwnConnection implements AutoCloseable {
    /** Limit for periodic work that no client waits for. */
    public static final Duration PATIENT = Duration.ofSeconds(30);

    private final DatabaseAddress address;
    private final Duration limit;
    private final String start;
    private Connection connection;

    /**
     * @param limit for a statement; the connection is closed if the server does not even report a timeout
     * @param start statements that each new connection executes first
     */
    public OwnConnection(DatabaseAddress address, Duration limit, String start) {
        this.address = address;
        this.limit = limit;
        this.start = start;
    }

    /** Work with a connection. */
    @FunctionalInterface
    public interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /** Does the work in auto-commit mode; after an error the next work gets a new connection. */
    public <T> T work(Work<T> work) throws SQLException {
        try {
            return work.with(open());
        } catch (SQLException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Does the work in a transaction; after an error nothing of it remains. */
    public <T> T transact(Work<T> work) throws SQLException {
        return work(open -> {
            open.setAutoCommit(false);
            T result = work.with(open);
            open.commit();
            open.setAutoCommit(true);
            return result;
        });
    }

    private Connection open() throws SQLException {
        if (connection == null) {
            connection = address.connect(limit.plusSeconds(1));
            Duration lock = limit.compareTo(SessionLimits.LOCK_WAIT) < 0 ? limit : SessionLimits.LOCK_WAIT;
            try (Statement statement = connection.createStatement()) {
                statement.execute(SessionLimits.sql(limit, lock) + "; " + start);
            }
        }
        return connection;
    }

    @Override
    public void close() {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                // The connection is broken and dropped, so its failure to close does not matter.
            }
            connection = null;
        }
    }
}
