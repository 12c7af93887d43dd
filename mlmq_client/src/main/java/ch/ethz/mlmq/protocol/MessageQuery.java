package ch.ethz.mlmq.protocol;

/**
 * Which message a client asks for. Whatever it says, it sees only messages addressed to the asking client or to nobody,
 * and of personal queues only the client's own. With no queue it looks through all queues the client may read.
 *
 * @param queue      id of the queue, or 0 for any
 * @param sender     id of the client that sent it, or 0 for any
 * @param context    the context it carries, or 0 for any
 * @param toMe       whether it must be addressed to the asking client, not just to nobody
 * @param order      which of several comes first
 * @param waitMillis how long the broker waits for one to come [ms], 0..60,000; 0 where it only looks
 */
public record MessageQuery(int queue, int sender, long context, boolean toMe, Order order, int waitMillis) {

    /** Which of several messages comes first. */
    public enum Order {
        /** The highest priority; within it the oldest. */
        PRIORITY,
        /** The oldest. */
        TIME
    }

    private static final MessageQuery ANY = new MessageQuery(0, 0, 0, false, Order.PRIORITY, 0);

    /** Any message the client may take, highest priority first, without waiting. */
    public static MessageQuery any() {
        return ANY;
    }

    /** Any message of one queue. */
    public static MessageQuery queue(int queue) {
        return new MessageQuery(queue, 0, 0, false, Order.PRIORITY, 0);
    }

    /** The response to a request this client sent. */
    public static MessageQuery response(long context) {
        return new MessageQuery(0, 0, context, true, Order.PRIORITY, 0);
    }

    public MessageQuery inQueue(int wanted) {
        return new MessageQuery(wanted, sender, context, toMe, order, waitMillis);
    }

    public MessageQuery from(int wantedSender) {
        return new MessageQuery(queue, wantedSender, context, toMe, order, waitMillis);
    }

    public MessageQuery withContext(long wanted) {
        return new MessageQuery(queue, sender, wanted, toMe, order, waitMillis);
    }

    public MessageQuery addressedToMe() {
        return new MessageQuery(queue, sender, context, true, order, waitMillis);
    }

    public MessageQuery oldestFirst() {
        return new MessageQuery(queue, sender, context, toMe, Order.TIME, waitMillis);
    }

    /** @param millis how long to wait for a message [ms], 0..60,000 */
    public MessageQuery waiting(int millis) {
        return new MessageQuery(queue, sender, context, toMe, order, millis);
    }
}
