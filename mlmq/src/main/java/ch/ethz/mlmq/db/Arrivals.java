package ch.ethz.mlmq.db;

/** Is told of messages that can be taken from now on, so that nobody waits for them in vain. */
public interface Arrivals {
    /** Nobody waits. */
    Arrivals IGNORED = (queue, context) -> { };

    /**
     * Called by any thread, after the message is durable.
     *
     * @param queue   id of the queue it lies in
     * @param context it carries, or 0
     */
    void arrived(int queue, long context);
}
