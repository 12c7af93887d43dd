package ch.ethz.mlmq.storage.access;

/** A statement about users that is not possible; nothing was changed. */
public final class AccessException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param message says why, for people */
    public AccessException(String message) {
        super(message);
    }
}
