package ch.ethz.mlmq.db;

import java.sql.SQLException;
import java.util.Set;

/**
 * What the state of an SQL error says, by its class:
 * <a href="https://www.postgresql.org/docs/current/errcodes-appendix.html">PostgreSQL's list</a>.
 */
final class SqlStates {
    /**
     * Connection, transaction state, authorization, resources, locks not available, cancelled or shutting down, system,
     * files, internal: whoever asks again at once gets the same.
     */
    private static final Set<String> OF_THE_SERVER = Set.of("08", "25", "28", "3D", "53", "55", "57", "58", "F0", "XX");
    private static final String QUERY_CANCELED = "57014";
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private SqlStates() {
    }

    /** @return whether another request may succeed where this one has failed */
    static boolean isOfARequest(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.length() == 5 && !OF_THE_SERVER.contains(state.substring(0, 2));
    }

    /** @return whether a statement, or its wait for a lock, took too long */
    static boolean isTimeout(SQLException e) {
        return QUERY_CANCELED.equals(e.getSQLState()) || LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }
}
