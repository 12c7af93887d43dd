package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.protocol.Message;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Deliveries of a connection that its client has not confirmed yet: a cancel can still requeue their messages.
 *
 * <p>If there is no room, the oldest are forgotten, as their client has most likely read them. Used by the connection's
 * I/O thread and, once the connection is closed, by that of its client's next connection.
 */
public final class Unconfirmed {
    private static final int MAX_DELIVERIES = 4_096;
    /** Bytes that a delivery takes beyond its encoded response: its request, its messages and its map entry. */
    private static final int OVERHEAD_BYTES = 512;

    /** Deliveries by correlation id, in the order of writing. */
    private final Map<Integer, Exchange> deliveries = new LinkedHashMap<>();
    private final MemoryBudget memory;
    private final long max;
    private volatile long bytes;
    /** The first and the last id of requests that may take messages. Ids wrap around. */
    private int first;
    private int last;
    private boolean asked;
    /** True if deliveries were forgotten, so that a missing one need not be confirmed. */
    private boolean forgetful;
    private boolean over;

    /** @param max largest size of all deliveries [bytes] */
    public Unconfirmed(MemoryBudget memory, long max) {
        this.memory = memory;
        this.max = max;
    }

    /** Records the id of a request for messages. */
    public synchronized void asked(int correlationId) {
        first = asked && correlationId - first >= 0 ? first : correlationId;
        last = asked && correlationId - last <= 0 ? last : correlationId;
        asked = true;
    }

    /** @return true if the id lies between the first and the last request for messages of this connection */
    public synchronized boolean hasAsked(int correlationId) {
        return asked && correlationId - first >= 0 && correlationId - last <= 0;
    }

    /** Keeps a delivery that is about to be written. */
    public synchronized void add(Exchange exchange) {
        remove(exchange.correlationId());
        int size = size(exchange);
        while (!deliveries.isEmpty() && (bytes + size > max || deliveries.size() >= MAX_DELIVERIES)) {
            forgetOldest();
        }
        while (size > max || over || !take(size)) {
            if (over || deliveries.isEmpty()) {
                forgetful = true;
                return;
            }
            forgetOldest();
        }
        deliveries.put(exchange.correlationId(), exchange);
    }

    /** Drops the delivery of that request, and all before it: the client has read them. */
    public synchronized void confirm(int correlationId) {
        if (deliveries.containsKey(correlationId)) {
            while (removeOldest().correlationId() != correlationId) {
                // Earlier deliveries are confirmed, too.
            }
        }
    }

    /** @return the delivery, which is removed and whose messages the caller must requeue; null if it is not here */
    public synchronized Exchange takeBack(int correlationId) {
        Exchange exchange = remove(correlationId);
        if (exchange != null) {
            exchange.cancel();
        }
        return exchange;
    }

    /**
     * Removes a delivery that was never sent. @return true if the caller must requeue its messages, false if a cancel
     * did so
     */
    public synchronized boolean withdraw(Exchange exchange) {
        if (deliveries.remove(exchange.correlationId(), exchange)) {
            release(size(exchange));
        }
        return !exchange.isCancelled();
    }

    /** @return bytes of the kept deliveries; any thread may call this */
    public long bytes() {
        return bytes;
    }

    /**
     * Asks whether the deliveries of a closed connection can stay. @return true if there are any and memory suffices
     */
    public synchronized boolean stay() {
        return asked && !over && !(forgetful && deliveries.isEmpty()) && memory.used() <= memory.max() / 2
                && take(OVERHEAD_BYTES);
    }

    /** @return true if deliveries were forgotten, so that nothing is known of a missing one */
    public synchronized boolean isForgetful() {
        return forgetful;
    }

    /** Drops all deliveries, and keeps no more. */
    public synchronized void clear() {
        over = true;
        forgetful = true;
        deliveries.clear();
        release(bytes);
    }

    /** @return the messages of a delivery with this delivery counted, as its bytes were sent */
    public static List<Message> counted(List<Message> messages) {
        return messages.stream().map(message -> message.leaseToken() != 0 ? message : message.handedOut(
                new Message.Delivery(Math.min(message.deliveries(), Integer.MAX_VALUE - 1) + 1))).toList();
    }

    private void forgetOldest() {
        forgetful = true;
        removeOldest();
    }

    private Exchange removeOldest() {
        Iterator<Exchange> oldest = deliveries.values().iterator();
        Exchange exchange = oldest.next();
        oldest.remove();
        release(size(exchange));
        return exchange;
    }

    private Exchange remove(int correlationId) {
        Exchange exchange = deliveries.remove(correlationId);
        if (exchange != null) {
            release(size(exchange));
        }
        return exchange;
    }

    private static int size(Exchange exchange) {
        return OVERHEAD_BYTES + exchange.answerBytes();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private boolean take(long size) {
        boolean taken = memory.take(size);
        bytes += taken ? size : 0;
        return taken;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void release(long size) {
        bytes -= size;
        memory.release(size);
    }
}
