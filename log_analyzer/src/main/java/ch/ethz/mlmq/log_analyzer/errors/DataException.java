package ch.ethz.mlmq.log_analyzer.errors;

/** Reports that data to be read is missing, or does not answer the question; the message says so in one line. */
public final class DataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DataException(String message) {
        super(message);
    }
}
