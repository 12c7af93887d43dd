package ch.ethz.mlmq.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What a transaction has changed; told to those who need it after the commit, and to nobody where there is none. */
final class Transaction {
    private final List<Stored> stored = new ArrayList<>();
    private LengthLedger.Entry lengths;

    private record Stored(int queue, int receiver, long context) {
    }

    /** @param number as PostgreSQL counts them */
    void began(long number) {
        lengths = new LengthLedger.Entry(number);
    }

    /** Begins one that stores messages: see {@link SharedLocks}. */
    void begin(Connection connection) throws SQLException {
        begin(connection, HotSql.GUARD);
    }

    /** Begins one that stores none. It holds nobody up, and may hold the messages exclusively. */
    void beginStoringNothing(Connection connection) throws SQLException {
        begin(connection, HotSql.NO_GUARD);
    }

    private void begin(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            began(rows.getLong(1));
        }
    }

    /**
     * A message can be taken from the queue, once this is committed.
     *
     * @param receiver id of the client that alone may take it, or 0 for anybody
     */
    void stored(int queue, int receiver, long context) {
        stored.add(new Stored(queue, receiver, context));
        lengths.change(queue, 1);
    }

    void taken(int queue) {
        lengths.change(queue, -1);
    }

    void committed(LengthLedger ledger, Arrivals arrivals) {
        ledger.add(lengths);
        for (Stored message : stored) {
            arrivals.arrived(message.queue, message.receiver, message.context);
        }
    }
}
