package ch.ethz.mlmq.scenario;

/** Reports a response other than the one that the client had to get. */
public final class UnexpectedAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    private final String kind;

    /**
     * @param kind    kind under which it is counted, such as {@code WRONG_RECEIVER}
     * @param message what was wrong
     */
    public UnexpectedAnswerException(String kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** @return the kind under which it is counted */
    public String kind() {
        return kind;
    }
}
