package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.protocol.Message;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Deliveries of a connection whose client has not said yet that it has read them: what a cancel can still put back.
 *
 * <p>Where there is no more room the oldest are forgotten: their client has most likely read them. Used by the I/O
 * thread of the connection and, once that is gone, by the one of the next connection of its client.
 */
public final class Unconfirmed {
    private static final int MAX_DELIVERIES = 4_096;
    /** A delivery is kept as its request, its messages and a place among the others: so much more than its bytes. */
    private static final int OVERHEAD_BYTES = 512;

    /** By correlation id, in the order in which they were written. */
    private final Map<Integer, Exchange> deliveries = new LinkedHashMap<>();
    private final MemoryBudget memory;
    private final long max;
    private volatile long bytes;
    /** The least and the greatest id of a request that may take messages, as ids are counted. */
    private int first;
    private int last;
    private boolean asked;
    /** Some were forgotten, so that of one that is not here it is not known whether it was confirmed. */
    private boolean forgetful;
    private boolean over;

    /** @param max what they may take [bytes] */
    public Unconfirmed(MemoryBudget memory, long max) {
        this.memory = memory;
        this.max = max;
    }

    /** The client has asked for messages. */
    public synchronized void asked(int correlationId) {
        first = asked && correlationId - first >= 0 ? first : correlationId;
        last = asked && correlationId - last <= 0 ? last : correlationId;
        asked = true;
    }

    /** @return whether that is a request of this connection for messages, as far as ids are counted */
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

    /** The client has read the answer to that request, and all before it. */
    public synchronized void confirm(int correlationId) {
        if (deliveries.containsKey(correlationId)) {
            while (removeOldest().correlationId() != correlationId) {
                // It came before.
            }
        }
    }

    /** @return the delivery, which is not kept any more and is the caller's to put back; null where it is not here */
    public synchronized Exchange takeBack(int correlationId) {
        Exchange exchange = remove(correlationId);
        if (exchange != null) {
            exchange.cancel();
        }
        return exchange;
    }

    /** The delivery was never sent. @return whether it is the caller's to put back: false where a cancel has done so */
    public synchronized boolean withdraw(Exchange exchange) {
        if (deliveries.remove(exchange.correlationId(), exchange)) {
            giveBack(size(exchange));
        }
        return !exchange.isCancelled();
    }

    /** @return what the deliveries that are kept take [bytes]; may be asked by any thread */
    public long bytes() {
        return bytes;
    }

    /** The connection has gone. @return whether what it knows may stay: there is something, and enough memory */
    public synchronized boolean stay() {
        return asked && !over && !(forgetful && deliveries.isEmpty()) && memory.used() <= memory.max() / 2
                && take(OVERHEAD_BYTES);
    }

    /** @return whether some were forgotten, so that of one that is not here nothing is known */
    public synchronized boolean isForgetful() {
        return forgetful;
    }

    /** Nobody asks for them any more. */
    public synchronized void clear() {
        over = true;
        forgetful = true;
        deliveries.clear();
        giveBack(bytes);
    }

    /** @return the messages of a delivery as they are put back: it counts, as its bytes were sent */
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
        giveBack(size(exchange));
        return exchange;
    }

    private Exchange remove(int correlationId) {
        Exchange exchange = deliveries.remove(correlationId);
        if (exchange != null) {
            giveBack(size(exchange));
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
    private void giveBack(long size) {
        bytes -= size;
        memory.giveBack(size);
    }
}
