package ch.ethz.mlmq.log_analyzer.errors;

/** Reports an invalid command line; the message says in one line what to do, and the usage follows it. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
