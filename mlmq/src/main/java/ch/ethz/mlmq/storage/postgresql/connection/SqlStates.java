package ch.ethz.mlmq.storage.postgresql.connection;

import java.sql.SQLException;
import java.util.Set;
import org.postgresql.util.PSQLException;

/**
 * What the state of an SQL error says, by its class:
 * <a href="https://www.postgresql.org/docs/current/errcodes-appendix.html">PostgreSQL's list</a>.
 */
public final class SqlStates {
    /**
     * Connection, transaction state, authorization, resources, locks not available, cancelled or shutting down, system,
     * files, internal: whoever asks again at once gets the same.
     */
    private static final Set<String> OF_THE_SERVER = Set.of("08", "25", "28", "3D", "53", "55", "57", "58", "F0", "XX");
    /** Raised by the function {@code addressed}: a queue was taken for a plain one. */
    public static final String ADDRESSED = "ML001";
    private static final String READ_ONLY = "25006";
    private static final String QUERY_CANCELED = "57014";
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private SqlStates() {
    }

    /** @return whether another request may succeed where this one has failed */
    public static boolean isOfARequest(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.length() == 5 && !OF_THE_SERVER.contains(state.substring(0, 2));
    }

    /** @return whether a statement, or its wait for a lock, took too long */
    public static boolean isTimeout(SQLException e) {
        return QUERY_CANCELED.equals(e.getSQLState()) || LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }

    /** @return whether the server is a standby (now): another connection may lead to the primary */
    public static boolean isReadOnly(SQLException e) {
        return READ_ONLY.equals(e.getSQLState());
    }

    /** @return whether no lock could be had in time */
    public static boolean isLockTimeout(SQLException e) {
        return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }

    /**
     * @return id of the queue that was taken for a plain one and has messages with a receiver; 0 where it is not that
     */
    public static int addressedQueue(SQLException e) {
        return ADDRESSED.equals(e.getSQLState()) && e instanceof PSQLException server
                && server.getServerErrorMessage() != null
                ? Integer.parseInt(server.getServerErrorMessage().getDetail()) : 0;
    }

    /** @return whether the statement may have been executed: the server has not said that it failed */
    public static boolean isOutcomeUnknown(SQLException e) {
        return !(e instanceof PSQLException server) || server.getServerErrorMessage() == null;
    }
}
