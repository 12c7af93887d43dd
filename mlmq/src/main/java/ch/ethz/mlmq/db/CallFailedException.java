package ch.ethz.mlmq.db;

import java.sql.SQLException;

/** A statement of one call failed, and with it the transaction that it shared with others. */
final class CallFailedException extends SQLException {
    private static final long serialVersionUID = 1;

    private final transient Call call;

    CallFailedException(Call call, SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
        this.call = call;
    }

    Call call() {
        return call;
    }
}
