package ch.ethz.mlmq.steering;

/** A command that is unknown, or makes no sense as written; the message says what would. */
public final class CommandRefusedException extends Exception {
    public CommandRefusedException(String message) {
        super(message);
    }
}
