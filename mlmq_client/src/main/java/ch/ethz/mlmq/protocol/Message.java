package ch.ethz.mlmq.protocol;

import java.nio.charset.StandardCharsets;

/**
 * A message as a broker delivers it.
 *
 * @param id         unique over all brokers of a database, in the order of arrival
 * @param queue      id of the queue it was in
 * @param sender     id of the client that sent it
 * @param receiver   id of the client that alone may take it, or 0 for anybody
 * @param priority   1..10, 10 first
 * @param context    ties a response to its request, or 0 for none
 * @param sentMillis when the broker took it [ms UTC]
 * @param deliveries how often it was handed out, this time included; 0 where only peeked at and never handed out
 * @param leaseToken names this delivery to acknowledge, extend or release it; 0 where it was not leased
 * @param content    belongs to whoever receives the message
 */
public record Message(long id, int queue, int sender, int receiver, int priority, long context, long sentMillis,
                      int deliveries, long leaseToken, byte[] content) {

    /** @return the content read as UTF-8 */
    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }
}
