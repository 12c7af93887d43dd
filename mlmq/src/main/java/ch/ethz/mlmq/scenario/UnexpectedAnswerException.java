package ch.ethz.mlmq.scenario;

/** The broker answered, but not what it owed the client. */
public final class UnexpectedAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    private final String kind;

    /**
     * @param kind    by which it is counted, such as {@code WRONG_RECEIVER}
     * @param message what was wrong
     */
    public UnexpectedAnswerException(String kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** @return the kind of error it is counted as */
    public String kind() {
        return kind;
    }
}
