package ch.ethz.mlmq.scenario.engine;

/** Reports why a load cannot continue, in one line. */
public final class LoadException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message one line for people: what is wrong and what to do */
    public LoadException(String message) {
        super(message);
    }
}
