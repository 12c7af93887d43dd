package ch.ethz.mlmq.storage;

/**
 * Calls that wait for a message. One of them joins the batch that stores a message for it: the same transaction stores
 * the message and takes it.
 */
@FunctionalInterface
public interface WaitingCalls {
    /** No call waits. */
    WaitingCalls NONE = queue -> null;

    /**
     * Takes out a call that waits for any message of the queue, which becomes a call of the batch.
     *
     * @return null if there is none
     */
    Call next(int queue);
}
