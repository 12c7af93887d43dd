package ch.ethz.mlmq.steering;

/** Reports a command that is unknown or invalid; the message says what is valid. */
public final class CommandRefusedException extends Exception {
    public CommandRefusedException(String message) {
        super(message);
    }
}
