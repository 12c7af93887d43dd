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
 * Requests in a {@link WaitingRoom} that wait for the same: messages of a queue, with a context, or any. A message for
 * any receiver is compared only with those that look for certain messages.
 */
public final class WaitingLine {
    private final Set<Exchange> free = new LinkedHashSet<>();
    /** Those of the free ones that were called in vain, which have their turn before the others. */
    private final Set<Exchange> called = new LinkedHashSet<>();
    private final Set<Exchange> selective = new LinkedHashSet<>();
    /** Requests for messages to their own client only, which are called through {@link ClientWaiters}. */
    private final Set<Exchange> toMe = new LinkedHashSet<>();
    /** Requests that are being executed and may have to wait here. */
    int looking;
    /** Number of arrivals in this line. */
    long arrivals;

    boolean isDeserted() {
        return looking == 0 && isEmpty();
    }

    boolean isEmpty() {
        return called.isEmpty() && free.isEmpty() && selective.isEmpty() && toMe.isEmpty();
    }

    /** @param again true if it was called in vain */
    void add(Exchange exchange, boolean again) {
        Set<Exchange> kind = kind(exchange);
        (again && kind == free ? called : kind).add(exchange);
    }

    /** @return true if the request was here */
    boolean remove(Exchange exchange) {
        return called.remove(exchange) || kind(exchange).remove(exchange);
    }

    /** @return the first request for the next message in order, whatever it is; or null */
    Exchange firstForAny() {
        Exchange first = firstFree();
        return first != null && query(first.request()).order() == MessageQuery.Order.PRIORITY ? first : null;
    }

    private Exchange firstFree() {
        Set<Exchange> kind = called.isEmpty() ? free : called;
        return kind.isEmpty() ? null : kind.iterator().next();
    }

    /** @return the first request to call when an earlier one found a message, or null */
    Exchange first() {
        for (Set<Exchange> kind : List.of(called, free, selective, toMe)) {
            if (!kind.isEmpty()) {
                return kind.iterator().next();
            }
        }
        return null;
    }

    /** Adds to the list the first request for any message, and all that look for certain messages and may match. */
    void callFor(List<Exchange> all, Predicate<Exchange> possible) {
        Exchange first = firstFree();
        if (first != null) {
            all.add(first);
        }
        for (Exchange exchange : selective) {
            if (possible.test(exchange)) {
                all.add(exchange);
            }
        }
    }

    /** Adds the same requests, and those for messages to their own client. */
    void callAll(List<Exchange> all) {
        callFor(all, exchange -> true);
        all.addAll(toMe);
    }

    private Set<Exchange> kind(Exchange exchange) {
        MessageQuery query = query(exchange.request());
        if (query.toMe()) {
            return toMe;
        }
        return query.sender() != 0 || query.context() != 0 || !query.filter().isEmpty() ? selective : free;
    }

    /**
     * @return false if the request cannot match, as it is for messages to its own client or with another context
     *
     * @param context of a message for any receiver
     */
    static boolean mayWant(Exchange exchange, long context) {
        MessageQuery query = query(exchange.request());
        return !query.toMe() && (query.context() == 0 || query.context() == context);
    }

    /** @return the key of the request's line */
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

    /** @return the longest wait of the request for a message [ms]; 0 if it does not wait */
    public static int waitMillis(Request request) {
        MessageQuery query = query(request);
        return query == null ? 0 : query.waitMillis();
    }

    /** @return when the request's wait ends [ns] */
    static long deadline(Exchange exchange) {
        return exchange.stages().receivedNanos() + Duration.ofMillis(waitMillis(exchange.request())).toNanos();
    }

    /** @return the response to a request that waited in vain */
    public static Response nothing(Request request) {
        return request instanceof Request.BulkRetrieval ? new Response.Deliveries(List.of()) : Response.Delivery.NONE;
    }

    private static MessageQuery query(Request request) {
        return request instanceof Request.Retrieval retrieval ? retrieval.query() : null;
    }
}
