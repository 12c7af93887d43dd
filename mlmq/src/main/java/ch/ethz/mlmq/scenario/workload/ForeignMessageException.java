package ch.ethz.mlmq.scenario.workload;

/** Reports a received message that is damaged, or that no client of this load sent. */
public final class ForeignMessageException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message description of what was received */
    public ForeignMessageException(String message) {
        super(message);
    }
}
