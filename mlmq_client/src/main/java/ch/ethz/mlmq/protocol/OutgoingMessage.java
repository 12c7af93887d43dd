package ch.ethz.mlmq.protocol;

import java.util.Arrays;
import java.util.List;

/**
 * One message of a bulk send.
 *
 * @param queue    id of its queue
 * @param receiver id of the only client that may take it, or 0 for any client
 * @param priority 1..10, 10 first
 * @param context  connects a response to its request, or 0 for none
 * @param key      messages with the same key are stored once for a queue within the broker's window; empty for no
 * deduplication
 * @param content  not copied; do not change it until the response has come
 * @param properties that travel with it
 */
public record OutgoingMessage(int queue, int receiver, int priority, long context, String key, byte[] content,
        MessageProperties properties) {

    /** @return one message for each queue of a send */
    public static List<OutgoingMessage> copiesOf(Request.SendMessage send) {
        return Arrays.stream(send.queues()).mapToObj(queue -> new OutgoingMessage(queue, send.receiver(),
                send.priority(), send.context(), send.key(), send.content(), send.properties())).toList();
    }

    /** @return the same message with these properties */
    public OutgoingMessage with(MessageProperties given) {
        return new OutgoingMessage(queue, receiver, priority, context, key, content, given);
    }

    /** Makes a message without properties. */
    public OutgoingMessage(int queue, int receiver, int priority, long context, String key, byte[] content) {
        this(queue, receiver, priority, context, key, content, MessageProperties.NONE);
    }

    /** Makes a message for any receiver, without context and key. */
    public OutgoingMessage(int queue, byte[] content, int priority) {
        this(queue, 0, priority, 0, "", content);
    }
}
