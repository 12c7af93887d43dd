package ch.ethz.mlmq.broker.request;

import java.util.ArrayDeque;
import java.util.Queue;

/** What waits of a connection in the request queue. Guarded by the queue's lock; nobody else uses it. */
final class Backlog {
    /** The connection is among those that a worker may take, or has taken. */
    boolean scheduled;
    /** The connection does not read its answers. */
    boolean held;
    /** The first so many of its requests, and their bytes, count as held, also when it is not held any more. */
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

    /** @return what the requests hold on to [bytes] */
    long bytes() {
        return bytes;
    }

    /** @return requests that count in the rooms of routes apart: those of such routes, and those behind them */
    int inRoomsApart() {
        return inRoomsApart;
    }

    /** @return the route of the next request, or null where there is none */
    Route nextRoute() {
        return pending.isEmpty() ? null : pending.peek().route();
    }

    /** @return in whose room the request would count: its own route's, or that of a request before it */
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

    Exchange poll() {
        Exchange exchange = pending.poll();
        inRoomsApart -= exchange.room == Route.BATCH ? 0 : 1;
        apart -= exchange.route() == Route.BATCH ? 0 : 1;
        bytes -= exchange.bytes();
        return exchange;
    }
}
