package ch.ethz.mlmq.storage.postgresql.batch;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Assigns contexts, unique over all brokers of a database. A broker reserves them in blocks. */
final class ContextSource {
    private static final int BLOCK = 1_000;

    private long next;
    private long end;

    /** @param connection reserves the next block if this one is used up */
    synchronized long next(Connection connection) throws SQLException {
        if (next == end) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT nextval('context_block')")) {
                rows.next();
                next = rows.getLong(1) * BLOCK;
                end = next + BLOCK;
            }
        }
        return next++;
    }
}
