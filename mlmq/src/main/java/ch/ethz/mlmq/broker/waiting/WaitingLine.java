package ch.ethz.mlmq.broker.waiting;

import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Arrivals;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Those in a {@link WaitingRoom} that wait for the same: messages of a queue, with a context, or any. A message for
 * anybody is compared with those alone that look for a certain one.
 */
public final class WaitingLine {
    private final Set<Exchange> free = new LinkedHashSet<>();
    private final Set<Exchange> selective = new LinkedHashSet<>();
    /** They look for messages to themselves alone, of which they are told as clients. */
    private final Set<Exchange> toMe = new LinkedHashSet<>();
    /** Requests that are being executed and may come to wait here. */
    int looking;
    /** Counts what has arrived. */
    long arrivals;

    boolean isDeserted() {
        return looking == 0 && isEmpty();
    }

    boolean isEmpty() {
        return free.isEmpty() && selective.isEmpty() && toMe.isEmpty();
    }

    void add(Exchange exchange) {
        kind(exchange).add(exchange);
    }

    /** @return whether it was there */
    boolean remove(Exchange exchange) {
        return kind(exchange).remove(exchange);
    }

    /** @return the first to be called where there may be more of what another one got, or null */
    Exchange first() {
        for (Set<Exchange> kind : List.of(free, selective, toMe)) {
            if (!kind.isEmpty()) {
                return kind.iterator().next();
            }
        }
        return null;
    }

    /** Adds to the list the first who would take any message, and all who look for a certain one that may be there. */
    void callFor(List<Exchange> called, Predicate<Exchange> possible) {
        if (!free.isEmpty()) {
            called.add(free.iterator().next());
        }
        for (Exchange exchange : selective) {
            if (possible.test(exchange)) {
                called.add(exchange);
            }
        }
    }

    /** The same, and those who look for messages to themselves. */
    void callAll(List<Exchange> called) {
        callFor(called, exchange -> true);
        called.addAll(toMe);
    }

    private Set<Exchange> kind(Exchange exchange) {
        MessageQuery query = query(exchange.request());
        if (query.toMe()) {
            return toMe;
        }
        return query.sender() != 0 || query.context() != 0 ? selective : free;
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
        return query.toMe() ? Arrivals.clientKey(exchange.call().client()) : Arrivals.ANY;
    }

    /** @return how long the request may wait for a message [ms]; 0 where it does not wait */
    public static int waitMillis(Request request) {
        MessageQuery query = query(request);
        return query == null ? 0 : query.waitMillis();
    }

    /** @return when its time is over [ns] */
    static long deadline(Exchange exchange) {
        return exchange.stages().receivedNanos() + Duration.ofMillis(waitMillis(exchange.request())).toNanos();
    }

    /** @return the answer to one that waited in vain */
    public static Response nothing(Request request) {
        return request instanceof Request.BulkRetrieval ? new Response.Deliveries(List.of()) : Response.Delivery.NONE;
    }

    private static MessageQuery query(Request request) {
        return request instanceof Request.Retrieval retrieval ? retrieval.query() : null;
    }
}
