package ch.ethz.mlmq.protocol;

import java.nio.charset.StandardCharsets;

/**
 * A message as a broker delivers it.
 *
 * @param id       unique over all brokers of a database, in the order of arrival
 * @param queue    id of the queue it was in
 * @param envelope what was known of it when it was sent
 * @param delivery how it was handed out
 * @param content  belongs to whoever receives the message
 */
public record Message(long id, int queue, Envelope envelope, Delivery delivery, byte[] content) {

    /**
     * What was known of a message when it was sent.
     *
     * @param sender     id of the client that sent it
     * @param receiver   id of the client that alone may take it, or 0 for anybody
     * @param priority   1..10, 10 first
     * @param context    ties a response to its request, or 0 for none
     * @param sentMillis when the broker took it [ms UTC]
     */
    public record Envelope(int sender, int receiver, int priority, long context, long sentMillis) {
    }

    /**
     * How a message was handed out.
     *
     * @param count      how often, this time included; 0 where it was only peeked at and never handed out
     * @param leaseToken names this delivery to acknowledge, extend or release it; 0 where the message was not leased
     */
    public record Delivery(int count, long leaseToken) {
        /** The message was never handed out. */
        public static final Delivery NONE = new Delivery(0, 0);

        /** Without a lease. @param count how often the message was handed out, this time included */
        public Delivery(int count) {
            this(count, 0);
        }
    }

    /** @return id of the client that sent it */
    public int sender() {
        return envelope.sender;
    }

    /** @return id of the client that alone may take it, or 0 for anybody */
    public int receiver() {
        return envelope.receiver;
    }

    /** @return 1..10, 10 first */
    public int priority() {
        return envelope.priority;
    }

    /** @return what ties a response to its request, or 0 for none */
    public long context() {
        return envelope.context;
    }

    /** @return when the broker took it [ms UTC] */
    public long sentMillis() {
        return envelope.sentMillis;
    }

    /** @return how often it was handed out, this time included; 0 where only peeked at and never handed out */
    public int deliveries() {
        return delivery.count;
    }

    /** @return what names this delivery to acknowledge, extend or release it; 0 where it was not leased */
    public long leaseToken() {
        return delivery.leaseToken;
    }

    /** @return what names this delivery in bulk operations; its token is 0 where the message was not leased */
    public Lease lease() {
        return new Lease(id, delivery.leaseToken);
    }

    /** @return the content read as UTF-8 */
    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** @return the same message in another queue */
    public Message in(int otherQueue) {
        return new Message(id, otherQueue, envelope, delivery, content);
    }

    /** @return the same message handed out in this way */
    public Message handedOut(Delivery other) {
        return new Message(id, queue, envelope, other, content);
    }
}
