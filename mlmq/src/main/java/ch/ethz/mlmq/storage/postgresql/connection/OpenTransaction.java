package ch.ethz.mlmq.storage.postgresql.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;

/** How a transaction on one of the pool's connections ends. */
public final class OpenTransaction {
    private static final Logger LOG = Logger.getLogger(OpenTransaction.class.getName());

    private OpenTransaction() {
    }

    /**
     * Rolls back what was not committed. Where that fails the connection is of no use any more, and what was committed
     * is.
     */
    public static void end(Connection connection, DatabaseAddress address) {
        if (isBroken(connection)) {
            return;
        }
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            LOG.warning(() -> "a transaction ended with its connection: " + address.unusable(e).getMessage());
        }
    }

    /** @return whether the connection is of no use any more */
    public static boolean isBroken(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }
}
