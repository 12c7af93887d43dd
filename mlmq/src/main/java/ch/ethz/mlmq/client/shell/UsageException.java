package ch.ethz.mlmq.client.shell;

/** Reports a command that the shell does not understand; the message says what to write. */
public final class UsageException extends RuntimeException {
    UsageException(String message) {
        super(message);
    }
}
