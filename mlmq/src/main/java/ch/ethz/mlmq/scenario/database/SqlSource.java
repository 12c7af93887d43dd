package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.link.BlockingSession;
import java.sql.SQLException;

/** Opens sessions of PostgreSQL, and translates their exceptions. */
abstract class SqlSource implements BlockingSession.Source {
    private static final String QUERY_CANCELED = "57014";

    private final String target;

    SqlSource(String target) {
        this.target = target;
    }

    @Override
    public String target() {
        return target;
    }

    /** Treats classes 08 and 57P as a lost connection; other failures concern one statement only. */
    @Override
    public BlockingSession.Failure failure(Exception e) {
        String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("no connection");
        String sqlState = e instanceof SQLException exception ? String.valueOf(exception.getSQLState()) : "";
        if (QUERY_CANCELED.equals(sqlState)) {
            return new BlockingSession.Failure(Status.TIMEOUT, text);
        }
        boolean lost = sqlState.isEmpty() || sqlState.startsWith("08") || sqlState.startsWith("57P");
        return new BlockingSession.Failure(lost ? Status.CONNECTION_LOST : Status.BROKER_ERROR, text);
    }
}
