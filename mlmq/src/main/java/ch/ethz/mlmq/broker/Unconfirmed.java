package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Deliveries of a connection whose client has not said yet that it has read them: what a cancel can still put back.
 *
 * <p>Where there is no more room the oldest are forgotten: their client has most likely read them. Used by the I/O
 * thread of the connection and, once that is gone, by the one of the next connection of its client.
 */
final class Unconfirmed {
    /** So that to look for one takes no longer than to execute a request. */
    private static final int MAX_DELIVERIES = 4_096;

    private final Deque<Exchange> deliveries = new ArrayDeque<>(4);
    private final MemoryBudget memory;
    private final long max;
    private volatile long bytes;
    /** Some were forgotten, so that of one that is not here it is not known whether it was confirmed. */
    private boolean forgetful;
    private boolean over;

    /** @param max what they may take [bytes] */
    Unconfirmed(MemoryBudget memory, long max) {
        this.memory = memory;
        this.max = max;
    }

    /** Keeps a delivery that is about to be written. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    synchronized void add(Exchange exchange) {
        int size = exchange.answerBytes;
        while (!deliveries.isEmpty() && (bytes + size > max || deliveries.size() >= MAX_DELIVERIES)) {
            forgetOldest();
        }
        while (size > max || over || !memory.take(size)) {
            if (over || deliveries.isEmpty()) {
                forgetful = true;
                return;
            }
            forgetOldest();
        }
        bytes += size;
        deliveries.add(exchange);
    }

    /** The client has read the answer to that request, and all before it. */
    synchronized void confirm(int correlationId) {
        if (contains(correlationId)) {
            for (Exchange next = poll(); next.correlationId != correlationId; next = poll()) {
                // It came before.
            }
        }
    }

    /** @return the delivery, which is not kept any more; null where it is not here */
    synchronized Exchange take(int correlationId) {
        for (Iterator<Exchange> i = deliveries.iterator(); i.hasNext();) {
            Exchange exchange = i.next();
            if (exchange.correlationId == correlationId) {
                i.remove();
                gone(exchange);
                return exchange;
            }
        }
        return null;
    }

    /** @return what the deliveries that are kept take [bytes]; may be asked by any thread */
    long bytes() {
        return bytes;
    }

    /** @return whether there is so much memory that they may stay when their connection has gone */
    boolean mayStay() {
        return memory.used() <= memory.max() / 2;
    }

    synchronized boolean isForgetful() {
        return forgetful;
    }

    synchronized boolean isEmpty() {
        return deliveries.isEmpty();
    }

    /** Nobody asks for them any more. */
    synchronized void clear() {
        over = true;
        while (!deliveries.isEmpty()) {
            poll();
        }
    }

    /** @return the messages of a delivery as they are put back: it counts, as its bytes were sent */
    static List<Message> counted(List<Message> messages) {
        return messages.stream().map(message -> message.leaseToken() != 0 ? message : new Message(message.id(),
                message.queue(), message.sender(), message.receiver(), message.priority(), message.context(),
                message.sentMillis(), Math.min(message.deliveries(), Integer.MAX_VALUE - 1) + 1, 0, message.content()))
                .toList();
    }

    private boolean contains(int correlationId) {
        for (Exchange exchange : deliveries) {
            if (exchange.correlationId == correlationId) {
                return true;
            }
        }
        return false;
    }

    private void forgetOldest() {
        forgetful = true;
        poll();
    }

    private Exchange poll() {
        Exchange exchange = deliveries.poll();
        gone(exchange);
        return exchange;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void gone(Exchange exchange) {
        bytes -= exchange.answerBytes;
        memory.giveBack(exchange.answerBytes);
    }
}
