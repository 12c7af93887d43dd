package ch.ethz.mlmq.storage.postgresql.connection;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Objects;
import java.util.Set;
import org.postgresql.util.PSQLException;

/**
 * Interprets the state of an SQL error by its class:
 * <a href="https://www.postgresql.org/docs/current/errcodes-appendix.html">PostgreSQL's list</a>.
 */
public final class SqlStates {
    /**
     * Classes of the server: connection, transaction state, authorization, resources, locks not available, cancelled or
     * shutting down, system, files, internal. Another request would fail in the same way.
     */
    private static final Set<String> OF_THE_SERVER = Set.of("08", "25", "28", "3D", "53", "55", "57", "58", "F0", "XX");
    /** The function {@code addressed} raises this state: a queue was wrongly considered a plain one. */
    public static final String ADDRESSED = "ML001";
    /** The function {@code stale_topic} raises this state: a broker did not know all subscriptions of a topic. */
    public static final String STALE_TOPIC = "ML002";
    private static final String READ_ONLY = "25006";
    /** Begins the states of shut-downs, crashes and starts of the server. */
    private static final String OPERATOR_INTERVENTION = "57P";
    private static final String QUERY_CANCELED = "57014";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DEADLOCK_DETECTED = "40P01";

    /** @return as the server says that a statement took too long. @param message for the client */
    public static SQLTimeoutException timeout(String message) {
        return new SQLTimeoutException(message, QUERY_CANCELED);
    }

    private SqlStates() {
    }

    /** @return true if another request may succeed after this failure */
    public static boolean isOfARequest(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.length() == 5 && !OF_THE_SERVER.contains(state.substring(0, 2));
    }

    /** @return true if a statement, or its wait for a lock, took too long */
    public static boolean isTimeout(SQLException e) {
        return QUERY_CANCELED.equals(e.getSQLState()) || LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }

    /** @return true if PostgreSQL ended the transaction because of a deadlock; it may succeed when it is repeated */
    public static boolean isDeadlock(SQLException e) {
        return DEADLOCK_DETECTED.equals(e.getSQLState());
    }

    /** @return true if the server is a standby (now): another connection may lead to the primary */
    public static boolean isReadOnly(SQLException e) {
        return READ_ONLY.equals(e.getSQLState());
    }

    /** @return true if a statement took too long; it did not wait for a lock all that time */
    public static boolean isCanceled(SQLException e) {
        return QUERY_CANCELED.equals(e.getSQLState());
    }

    /** @return true if a lock was not available in time */
    public static boolean isLockTimeout(SQLException e) {
        return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }

    /**
     * @return id of the queue that was wrongly considered a plain one and has messages with a receiver; 0 for other
     * errors
     */
    public static int addressedQueue(SQLException e) {
        return idInDetail(ADDRESSED, e);
    }

    /** @return id of the topic whose subscriptions have changed; 0 for other errors */
    public static int staleTopic(SQLException e) {
        return idInDetail(STALE_TOPIC, e);
    }

    private static int idInDetail(String state, SQLException e) {
        return state.equals(e.getSQLState()) && !isOutcomeUnknown(e) ? Integer.parseInt(detail(e)) : 0;
    }

    /** @return what the server says beside its message; empty for nothing */
    public static String detail(SQLException e) {
        return e instanceof PSQLException server && server.getServerErrorMessage() != null
                ? Objects.requireNonNullElse(server.getServerErrorMessage().getDetail(), "") : "";
    }

    /** @return true if the server has gone, or was away; it may have crashed */
    public static boolean isServerAway(SQLException e) {
        return isOutcomeUnknown(e) || e.getSQLState() != null && e.getSQLState().startsWith(OPERATOR_INTERVENTION);
    }

    /** @return true if the statement may have been executed, because the server did not report its failure */
    public static boolean isOutcomeUnknown(SQLException e) {
        return !(e instanceof PSQLException server) || server.getServerErrorMessage() == null;
    }
}
