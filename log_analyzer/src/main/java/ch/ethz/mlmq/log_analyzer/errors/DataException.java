package ch.ethz.mlmq.log_analyzer.errors;

/** What was to be read is not there, or has no answer to what was asked; the message is one line that says so. */
public final class DataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DataException(String message) {
        super(message);
    }
}
