package ch.ethz.mlmq.storage.postgresql.connection;

import java.time.Duration;

/**
 * Limits of the time for which a broker's session may make the server, and with it the other brokers, wait. The server
 * enforces these limits, so they hold even if the broker is stopped or disconnected.
 */
final class SessionLimits {
    /** Limit of the wait for a lock when no client waits for the response. */
    static final Duration LOCK_WAIT = Duration.ofSeconds(1);
    /**
     * Limit of the wait for a transaction's next statement; then the server ends the session and releases its locks.
     */
    static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(2);
    /** Limit of the wait for a sign of life from a peer, in case the network drops packets. */
    private static final int DEAD_PEER_SECONDS = 4;

    private SessionLimits() {
    }

    /**
     * @return statements that begin a session
     *
     * @param statement limit of a statement
     * @param lock      limit of the wait for a lock
     */
    static String sql(Duration statement, Duration lock) {
        return sql(statement, lock, IDLE_IN_TRANSACTION);
    }

    /** @return statements that begin a session. @param idle limit of the wait for a transaction's next statement */
    static String sql(Duration statement, Duration lock, Duration idle) {
        return String.join("; ", "SET jit = off", "SET max_parallel_workers_per_gather = 0",
                "SET statement_timeout = " + statement.toMillis(), "SET lock_timeout = " + lock.toMillis(),
                "SET idle_in_transaction_session_timeout = " + idle.toMillis(),
                "SET client_connection_check_interval = '1s'", "SET tcp_keepalives_idle = 2",
                "SET tcp_keepalives_interval = 1", "SET tcp_keepalives_count = 2",
                "SET tcp_user_timeout = " + DEAD_PEER_SECONDS * 1_000);
    }
}
