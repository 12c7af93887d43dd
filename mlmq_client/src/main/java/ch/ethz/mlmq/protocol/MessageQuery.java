package ch.ethz.mlmq.protocol;

/**
 * Selects messages. A client sees only messages addressed to it or to any receiver, and of personal queues only its
 * own. A query without a queue covers all queues that the client may read.
 *
 * @param queue      id of the queue, or 0 for any
 * @param sender     id of the client that sent it, or 0 for any
 * @param context    context of the message, or 0 for any
 * @param toMe       true if it must be addressed to the asking client
 * @param order      order of several messages
 * @param waitMillis longest wait of the broker for a message [ms], 0..60,000; 0 to only look
 * @param filter     of its properties, priority and context, as of a subscription; empty for none. Needs
 *                   {@link Features#FILTERS}
 */
public record MessageQuery(int queue, int sender, long context, boolean toMe, Order order, int waitMillis,
        String filter) {

    /** The order of several messages. */
    public enum Order {
        /** The highest priority comes first; within a priority, the oldest. */
        PRIORITY,
        /** The oldest message comes first. */
        TIME
    }

    private static final MessageQuery ANY = new MessageQuery(0, 0, 0, false, Order.PRIORITY, 0);

    /** A query without a filter. */
    public MessageQuery(int queue, int sender, long context, boolean toMe, Order order, int waitMillis) {
        this(queue, sender, context, toMe, order, waitMillis, "");
    }

    /** Selects any message that the client may take, highest priority first, without waiting. */
    public static MessageQuery any() {
        return ANY;
    }

    /** Selects any message of one queue. */
    public static MessageQuery queue(int queue) {
        return new MessageQuery(queue, 0, 0, false, Order.PRIORITY, 0);
    }

    /** Selects the response to a request that this client sent. */
    public static MessageQuery response(long context) {
        return new MessageQuery(0, 0, context, true, Order.PRIORITY, 0);
    }

    public MessageQuery inQueue(int wanted) {
        return new MessageQuery(wanted, sender, context, toMe, order, waitMillis, filter);
    }

    public MessageQuery from(int wantedSender) {
        return new MessageQuery(queue, wantedSender, context, toMe, order, waitMillis, filter);
    }

    public MessageQuery withContext(long wanted) {
        return new MessageQuery(queue, sender, wanted, toMe, order, waitMillis, filter);
    }

    public MessageQuery addressedToMe() {
        return new MessageQuery(queue, sender, context, true, order, waitMillis, filter);
    }

    public MessageQuery oldestFirst() {
        return new MessageQuery(queue, sender, context, toMe, Order.TIME, waitMillis, filter);
    }

    /** @param millis longest wait for a message [ms], 0..60,000 */
    public MessageQuery waiting(int millis) {
        return new MessageQuery(queue, sender, context, toMe, order, millis, filter);
    }

    /**
     * Selects messages that the filter takes, such as {@code region = 'eu' AND price < 5}. The broker looks at one
     * message after the other, as no index finds them.
     */
    public MessageQuery matching(String wanted) {
        return new MessageQuery(queue, sender, context, toMe, order, waitMillis, wanted);
    }
}
