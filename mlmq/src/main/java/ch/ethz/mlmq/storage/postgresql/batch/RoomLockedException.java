package ch.ethz.mlmq.storage.postgresql.batch;

import java.sql.SQLException;

/** Reports that a queue with a limit of length was locked for too long, so that no call that stores there can. */
final class RoomLockedException extends SQLException {
    private static final long serialVersionUID = 1;

    /** @param cause gives the message and the state */
    RoomLockedException(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
    }
}
