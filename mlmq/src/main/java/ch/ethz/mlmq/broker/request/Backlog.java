package ch.ethz.mlmq.broker.request;

import java.util.ArrayDeque;
import java.util.Queue;

/** Requests of a connection that wait in the request queue. Guarded by the queue's lock; only the queue uses it. */
final class Backlog {
    /** True if a worker may take, or has taken, requests of the connection. */
    boolean scheduled;
    /** True while the connection does not read its responses. */
    boolean held;
    /** Number of its first requests that count as held, with their bytes, even after the connection has resumed. */
    int heldCount;
    long heldBytes;
    private final Queue<Exchange> pending = new ArrayDeque<>(4);
    private long bytes;
    private int apart;
    private Route lastApart = Route.BATCH;
    private int inRoomsApart;

    int size() {
        return pending.size();
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** @return bytes that the requests hold */
    long bytes() {
        return bytes;
    }

    /** @return requests that count in the rooms of separate routes: those of such routes, and those behind them */
    int inRoomsApart() {
        return inRoomsApart;
    }

    /** @return the route of the next request, or null if there is none */
    Route nextRoute() {
        return pending.isEmpty() ? null : pending.peek().route();
    }

    /** @return the route in whose room the request would count: its own, or that of an earlier request */
    Route roomOf(Exchange exchange) {
        return exchange.route() != Route.BATCH || apart == 0 ? exchange.route() : lastApart;
    }

    void add(Exchange exchange) {
        exchange.room = roomOf(exchange);
        inRoomsApart += exchange.room == Route.BATCH ? 0 : 1;
        if (exchange.route() != Route.BATCH) {
            apart++;
            lastApart = exchange.route();
        }
        pending.add(exchange);
        bytes += exchange.bytes();
    }

    /** Records that the requests wait for a worker from now on; they were held before. @param now [ns] */
    void queued(long now) {
        pending.forEach(exchange -> exchange.stages().queued(now));
    }

    Exchange poll() {
        Exchange exchange = pending.poll();
        inRoomsApart -= exchange.room == Route.BATCH ? 0 : 1;
        apart -= exchange.route() == Route.BATCH ? 0 : 1;
        bytes -= exchange.bytes();
        return exchange;
    }
}
