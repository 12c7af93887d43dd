package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.db.Arrivals;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** Those in a {@link WaitingRoom} that wait for the same: messages of a queue, with a context, or any. */
final class WaitingLine {
    final Deque<Exchange> waiters = new ArrayDeque<>();
    /** Requests that are being executed and may come to wait here. */
    int looking;
    /** Counts what has arrived. */
    long arrivals;

    boolean isDeserted() {
        return waiters.isEmpty() && looking == 0;
    }

    /** Moves all that were chosen to the list. */
    void call(Predicate<Exchange> chosen, List<Exchange> called) {
        for (Iterator<Exchange> i = waiters.iterator(); i.hasNext();) {
            Exchange exchange = i.next();
            if (chosen.test(exchange)) {
                i.remove();
                called.add(exchange);
            }
        }
    }

    /** Moves the first who would take any message of the line, and all who look for a certain one that may be there. */
    void callFor(List<Exchange> called, Predicate<Exchange> possible) {
        boolean free = true;
        for (Iterator<Exchange> i = waiters.iterator(); i.hasNext();) {
            Exchange exchange = i.next();
            boolean chosen = isSelective(exchange) ? possible.test(exchange) : free;
            if (chosen) {
                free &= isSelective(exchange);
                i.remove();
                called.add(exchange);
            }
        }
    }

    /**
     * Nobody who looks for a message to himself, or for one with another context, needs to look at it.
     *
     * @param context of a message for anybody
     */
    static boolean mayWant(Exchange exchange, long context) {
        MessageQuery query = query(exchange.request());
        return !query.toMe() && (query.context() == 0 || query.context() == context);
    }

    /** @return the key of the line in which the request waits */
    static long key(Exchange exchange) {
        MessageQuery query = query(exchange.request());
        if (query.queue() != 0) {
            return Arrivals.queueKey(query.queue());
        }
        if (query.context() != 0) {
            return Arrivals.contextKey(query.context());
        }
        return query.toMe() ? Arrivals.clientKey(exchange.call.client()) : Arrivals.ANY;
    }

    /** @return how long the request may wait for a message [ms]; 0 where it does not wait */
    static int waitMillis(Request request) {
        MessageQuery query = query(request);
        return query == null ? 0 : query.waitMillis();
    }

    /** @return when its time is over [ns] */
    static long deadline(Exchange exchange) {
        return exchange.receivedNanos + Duration.ofMillis(waitMillis(exchange.request())).toNanos();
    }

    /** @return the answer to one that waited in vain */
    static Response nothing(Request request) {
        return request instanceof Request.DequeueMessages ? new Response.Deliveries(List.of()) : Response.Delivery.NONE;
    }

    private static boolean isSelective(Exchange exchange) {
        MessageQuery query = query(exchange.request());
        return query.sender() != 0 || query.context() != 0 || query.toMe();
    }

    private static MessageQuery query(Request request) {
        return request instanceof Request.Retrieval retrieval ? retrieval.query() : null;
    }
}
