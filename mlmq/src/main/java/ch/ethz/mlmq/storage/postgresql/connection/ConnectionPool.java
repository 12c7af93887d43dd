package ch.ethz.mlmq.storage.postgresql.connection;

import ch.ethz.mlmq.config.SynchronousCommit;
import ch.ethz.mlmq.storage.Storage;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/**
 * The workers' connections to PostgreSQL.
 *
 * <p>Their query plans are pinned: changes of plans, caused by a table that is empty now and full a moment later, would
 * cost more than everything else. There is an index for each of the broker's statements, and it is always the right
 * one.
 */
public final class ConnectionPool implements AutoCloseable {

    private final HikariDataSource source;

    /** @param name of the pool, for its threads' names */
    public ConnectionPool(String name, DatabaseAddress address, int connections, Duration timeout,
            SynchronousCommit synchronousCommit) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(address.url());
        config.setUsername(address.user());
        config.setPassword(address.password());
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(connections);
        config.setConnectionTimeout(Math.max(250, timeout.toMillis()));
        config.setValidationTimeout(Math.max(250, Math.min(timeout.toMillis(), 2_000)));
        config.setInitializationFailTimeout(-1);
        config.setMaxLifetime(0);
        config.setConnectionInitSql(session(timeout, synchronousCommit));
        config.addDataSourceProperty("prepareThreshold", "1");
        config.addDataSourceProperty("connectTimeout", "5");
        config.addDataSourceProperty("socketTimeout", Long.toString(timeout.toSeconds() * 2 + 1));
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("ApplicationName", address.application());
        source = new HikariDataSource(config);
    }

    /** @return a connection, which must be closed soon */
    public Connection take() throws SQLException {
        return source.getConnection();
    }

    /** Closes the connection when it is returned to the pool; has no effect if it is another pool's. */
    public void evict(Connection connection) {
        source.evictConnection(connection);
    }

    /** @return the number of connections in use, and further state */
    public Storage.PoolState state() {
        HikariPoolMXBean pool = source.getHikariPoolMXBean();
        return new Storage.PoolState(pool.getActiveConnections(), pool.getTotalConnections(),
                pool.getThreadsAwaitingConnection());
    }

    @Override
    public void close() {
        source.close();
    }

    private static String session(Duration timeout,
            SynchronousCommit synchronousCommit) {
        return String.join("; ", "SET enable_seqscan = off", "SET enable_bitmapscan = off", "SET enable_sort = off",
                "SET enable_hashjoin = off", "SET enable_mergejoin = off", "SET plan_cache_mode = force_generic_plan",
                SessionLimits.sql(timeout, timeout),
                "SET synchronous_commit = " + synchronousCommit.name().toLowerCase(Locale.ROOT));
    }
}
