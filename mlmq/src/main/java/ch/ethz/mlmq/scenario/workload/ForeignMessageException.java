package ch.ethz.mlmq.scenario.workload;

/** A received message was damaged on its way, or never sent by a client of this load. */
public final class ForeignMessageException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message what was received instead */
    public ForeignMessageException(String message) {
        super(message);
    }
}
