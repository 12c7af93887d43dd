package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.storage.postgresql.length.Lengths;
import ch.ethz.mlmq.storage.postgresql.length.Recount;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The locks that all brokers of a database share. There are two; a transaction that takes both takes that of the
 * messages first. The functions that take this lock, and its key, are in functions.sql.
 *
 * <table>
 * <caption>Users of the locks</caption>
 * <tr><th>lock<th>mode<th>by<th>until<th>waits at most
 * <tr><td rowspan="2">messages (advisory)<td>shared<td>transactions that store messages: batches with sends, requeues,
 * releases, expired leases, the console<td>the transaction ends<td>{@code broker.db.timeout}
 * <tr><td>exclusive<td>the deletion of a queue that must be empty, the removal of clients without messages; both first
 * check, without the lock, whether there is something to do<td>the statement ends, the console's after three<td>100 ms
 * <tr><td>the row of {@code recount}<td>for update<td>writers of lengths, and the steps of a count
 * ({@link Lengths}, {@link Recount}, the console)<td>the round trip ends<td>{@code SessionLimits.LOCK_WAIT}
 * </table>
 *
 * <p>A broker may be stopped at any moment, and then it releases no lock until its session ends. So the server takes
 * and releases exclusive locks within one round trip. The shared mode lasts for several round trips in a batch with
 * single calls; the server ends a session that is idle for {@code SessionLimits.IDLE_IN_TRANSACTION}.
 */
public final class SharedLocks {
    /**
     * SQL that takes the lock of the messages in shared mode until the transaction ends; returns the transaction's
     * number.
     */
    static final String SHARE_MESSAGES = "share_messages()";
    /**
     * SQL that takes the lock exclusively until the transaction ends. It waits at most a tenth of a second, because
     * everybody who stores a message waits behind it, and then fails with the state 55P03.
     */
    public static final String HOLD_MESSAGES = "hold_messages()";

    /** SQL that begins a transaction that stores messages; returns the transaction's number. */
    public static final String STORING = "SELECT " + SHARE_MESSAGES;
    /** SQL that begins a transaction that stores no messages. It delays no other, and may take the lock exclusively. */
    public static final String STORING_NOTHING = "SELECT pg_current_xact_id()::text::bigint";

    private SharedLocks() {
    }

    /** Begins a transaction that stores messages. @return its number */
    public static long beginStoring(Connection connection) throws SQLException {
        return begin(connection, STORING);
    }

    /** Begins a transaction that stores no messages. @return its number */
    public static long beginStoringNothing(Connection connection) throws SQLException {
        return begin(connection, STORING_NOTHING);
    }

    private static long begin(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
