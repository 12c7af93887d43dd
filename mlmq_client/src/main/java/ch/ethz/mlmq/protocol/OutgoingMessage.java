package ch.ethz.mlmq.protocol;

/**
 * One message of a bulk send.
 *
 * @param queue    id of the queue to put it in
 * @param receiver id of the client that alone may take it, or 0 for anybody
 * @param priority 1..10, 10 first
 * @param context  ties a response to its request, or 0 for none
 * @param key      stored once for a queue within the broker's window, or empty for no deduplication
 * @param content  not copied, so not to be changed until the request has been answered
 */
public record OutgoingMessage(int queue, int receiver, int priority, long context, String key, byte[] content) {

    /** Anybody may take it; no context, no key. */
    public OutgoingMessage(int queue, byte[] content, int priority) {
        this(queue, 0, priority, 0, "", content);
    }
}
