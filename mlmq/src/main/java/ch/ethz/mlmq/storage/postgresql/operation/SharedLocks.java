package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.storage.postgresql.length.Lengths;
import ch.ethz.mlmq.storage.postgresql.length.Recount;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The locks that all brokers of a database share. There are two; whoever takes both takes the messages first. The
 * functions that take the first one, and its key, stand in functions.sql.
 *
 * <table>
 * <caption>Who takes which</caption>
 * <tr><th>lock<th>mode<th>by<th>until<th>waits at most
 * <tr><td rowspan="2">messages (advisory)<td>shared<td>whoever stores messages: batches with sends, put-backs,
 * releases, expired leases, the console<td>the transaction ends<td>{@code broker.db.timeout}
 * <tr><td>exclusive<td>the deletion of a queue that must be empty, the removal of clients without messages; both look
 * first, without it, for something to do<td>the statement ends, the console's after three<td>100 ms
 * <tr><td>the row of {@code recount}<td>for update<td>whoever tells lengths, and the steps of a count
 * ({@link Lengths}, {@link Recount}, the console)<td>the round trip ends<td>{@code SessionLimits.LOCK_WAIT}
 * </table>
 *
 * <p>A broker may be stopped at any moment, and then it gives nothing back until its session ends. So what is exclusive
 * is taken and given back by the server, within one round trip. The shared mode lasts for several round trips in a
 * batch with single calls; the server ends a session that is idle so long in {@code SessionLimits.IDLE_IN_TRANSACTION}.
 */
public final class SharedLocks {
    /** Takes the lock of the messages shared, until the transaction ends; its value is the transaction's number. */
    static final String SHARE_MESSAGES = "share_messages()";
    /**
     * Takes it exclusively, until the transaction ends, and waits a tenth of a second at most, as everybody who wants
     * to store a message waits behind it. Then it fails with the state 55P03.
     */
    public static final String HOLD_MESSAGES = "hold_messages()";

    /** Begins a transaction that stores messages; its value is the transaction's number. */
    public static final String STORING = "SELECT " + SHARE_MESSAGES;
    /** The same for one that stores none. It holds nobody up, and may hold the messages exclusively. */
    public static final String STORING_NOTHING = "SELECT pg_current_xact_id()::text::bigint";

    private SharedLocks() {
    }

    /** Begins a transaction that stores messages. @return its number */
    public static long beginStoring(Connection connection) throws SQLException {
        return begin(connection, STORING);
    }

    /** Begins one that stores none. @return its number */
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
