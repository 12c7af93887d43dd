package ch.ethz.mlmq.log_analyzer.errors;

/** The command line cannot be understood; the message is one line that says what to do, the usage follows it. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
