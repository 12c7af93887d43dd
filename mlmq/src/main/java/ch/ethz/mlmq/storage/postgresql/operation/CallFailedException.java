package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.storage.Call;
import java.sql.SQLException;

/** Reports that a statement of one call failed, and with it the transaction that it shared with other calls. */
public final class CallFailedException extends SQLException {
    private static final long serialVersionUID = 1;

    private final transient Call call;

    /** @param cause gives the message and the state */
    public CallFailedException(Call call, SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
        this.call = call;
    }

    /** @return the call whose statement failed */
    public Call call() {
        return call;
    }
}
