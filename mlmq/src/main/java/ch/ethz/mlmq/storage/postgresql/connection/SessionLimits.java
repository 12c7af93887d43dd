package ch.ethz.mlmq.storage.postgresql.connection;

import java.time.Duration;

/**
 * How long a session of a broker may make the server, and with it the other brokers, wait. The server keeps these
 * limits, so they hold where the broker is stopped, or cut off from it.
 */
final class SessionLimits {
    /** For a lock, where no client waits for the answer. */
    static final Duration LOCK_WAIT = Duration.ofSeconds(1);
    /** For the next statement of a transaction; then the server ends the session, and what it had locked is free. */
    static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(2);
    /** For a sign of life of a peer behind a network that has begun to swallow packets. */
    private static final int DEAD_PEER_SECONDS = 4;

    private SessionLimits() {
    }

    /**
     * Statements that a session begins with.
     *
     * @param statement for a statement
     * @param lock      for a lock
     */
    static String sql(Duration statement, Duration lock) {
        return sql(statement, lock, IDLE_IN_TRANSACTION);
    }

    /** The same. @param idle for the next statement of a transaction */
    static String sql(Duration statement, Duration lock, Duration idle) {
        return String.join("; ", "SET jit = off", "SET max_parallel_workers_per_gather = 0",
                "SET statement_timeout = " + statement.toMillis(), "SET lock_timeout = " + lock.toMillis(),
                "SET idle_in_transaction_session_timeout = " + idle.toMillis(),
                "SET client_connection_check_interval = '1s'", "SET tcp_keepalives_idle = 2",
                "SET tcp_keepalives_interval = 1", "SET tcp_keepalives_count = 2",
                "SET tcp_user_timeout = " + DEAD_PEER_SECONDS * 1_000);
    }
}
