package ch.ethz.mlmq.protocol;

import java.nio.charset.StandardCharsets;

/**
 * A message as a broker delivers it.
 *
 * @param id       unique over all brokers of a database, in the order of arrival
 * @param queue    id of the queue it was in
 * @param envelope facts known when it was sent
 * @param delivery facts of this delivery
 * @param content  belongs to the receiver of the message
 */
public record Message(long id, int queue, Envelope envelope, Delivery delivery, byte[] content) {

    /**
     * Facts known when a message was sent.
     *
     * @param sender     id of the client that sent it
     * @param receiver   id of the only client that may take it, or 0 for any client
     * @param priority   1..10, 10 first
     * @param context    connects a response to its request, or 0 for none
     * @param sentMillis when the broker accepted it [ms UTC]
     * @param properties that its sender gave it
     */
    public record Envelope(int sender, int receiver, int priority, long context, long sentMillis,
            MessageProperties properties) {
        /** Makes the envelope of a message without properties. */
        public Envelope(int sender, int receiver, int priority, long context, long sentMillis) {
            this(sender, receiver, priority, context, sentMillis, MessageProperties.NONE);
        }

        /** @return the same envelope with these properties */
        public Envelope with(MessageProperties given) {
            return new Envelope(sender, receiver, priority, context, sentMillis, given);
        }
    }

    /**
     * Facts of a delivery.
     *
     * @param count      number of deliveries, including this one; 0 if it was only peeked at and never delivered
     * @param leaseToken identifies this delivery to acknowledge, extend or release it; 0 if the message was not leased
     */
    public record Delivery(int count, long leaseToken) {
        /** The message was never delivered. */
        public static final Delivery NONE = new Delivery(0, 0);

        /** Makes a delivery without a lease. @param count number of deliveries, including this one */
        public Delivery(int count) {
            this(count, 0);
        }
    }

    /** @return id of the client that sent it */
    public int sender() {
        return envelope.sender;
    }

    /** @return id of the only client that may take it, or 0 for any client */
    public int receiver() {
        return envelope.receiver;
    }

    /** @return 1..10, 10 first */
    public int priority() {
        return envelope.priority;
    }

    /** @return the context that connects a response to its request, or 0 for none */
    public long context() {
        return envelope.context;
    }

    /** @return when the broker accepted it [ms UTC] */
    public long sentMillis() {
        return envelope.sentMillis;
    }

    /** @return the values that its sender gave it */
    public MessageProperties properties() {
        return envelope.properties;
    }

    /** @return number of deliveries, including this one; 0 if only peeked at and never delivered */
    public int deliveries() {
        return delivery.count;
    }

    /** @return the token of this delivery to acknowledge, extend or release it; 0 if it was not leased */
    public long leaseToken() {
        return delivery.leaseToken;
    }

    /** @return the lease of this delivery, for bulk operations; its token is 0 if the message is not leased */
    public Lease lease() {
        return new Lease(id, delivery.leaseToken);
    }

    /** @return bytes of its content and properties */
    public int bytes() {
        return content.length + envelope.properties.encoded().length;
    }

    /** @return the content read as UTF-8 */
    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** @return the same message in another queue */
    public Message in(int otherQueue) {
        return new Message(id, otherQueue, envelope, delivery, content);
    }

    /** @return the same message with these properties */
    public Message with(MessageProperties properties) {
        return new Message(id, queue, envelope.with(properties), delivery, content);
    }

    /** @return the same message with this delivery */
    public Message handedOut(Delivery other) {
        return new Message(id, queue, envelope, other, content);
    }
}
