package ch.ethz.mlmq.storage.postgresql.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;

/** Ends transactions on pooled connections. */
public final class OpenTransaction {
    private static final Logger LOG = Logger.getLogger(OpenTransaction.class.getName());

    private OpenTransaction() {
    }

    /**
     * Rolls back what was not committed. If that fails, the connection is unusable; committed changes are not affected.
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

    /** @return true if the connection is unusable */
    public static boolean isBroken(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }
}
