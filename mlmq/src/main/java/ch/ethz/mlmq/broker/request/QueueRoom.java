package ch.ethz.mlmq.broker.request;

import java.util.EnumMap;
import java.util.Map;

/**
 * Counts the requests in the request queue, and decides whether there is room for more. Guarded by the queue's lock.
 *
 * <p>A connection may have as many requests waiting as places are still free, so one alone gets half of the room. The
 * last eighth is for connections that have no request waiting, so they find room beside connections that send many.
 * Each separate route has an eighth of the room, shared in the same way. Held requests are counted separately.
 */
final class QueueRoom {
    /** Divisor of the room: this part of it is for first requests of connections. */
    private static final int FIRST_REQUESTS = 8;
    /** Divisor of the room: each separate route gets this part of it, for slow requests and those behind them. */
    private static final int APART = 8;

    private final int capacity;
    private final long byteCapacity;
    private final Map<Route, Integer> apart = new EnumMap<>(Route.class);
    /** Other threads read it without the lock. */
    private volatile int size;
    private long bytes;
    private int heldSize;
    private long heldBytes;

    /**
     * @param capacity     requests
     * @param byteCapacity bytes that the requests may hold
     */
    QueueRoom(int capacity, long byteCapacity) {
        this.capacity = capacity;
        this.byteCapacity = byteCapacity;
    }

    /** @return requests that wait and are not held; any thread may call this */
    int size() {
        return size;
    }

    /** @return true if no request waits, held or not */
    boolean isEmpty() {
        return size == 0 && heldSize == 0;
    }

    boolean isTooMuchHeld() {
        return heldSize > capacity || heldBytes > byteCapacity / 2;
    }

    /** @return why there is no room for the request, or null if there is */
    String obstacle(Exchange exchange) {
        Backlog backlog = exchange.connection().backlog;
        if (size >= capacity) {
            return "the broker's request queue is full: " + size + " requests wait, and broker.requestqueue.size="
                    + capacity;
        }
        if (size >= capacity - capacity / FIRST_REQUESTS && !backlog.isEmpty()) {
            return size + " requests wait in the broker's request queue; the rest of broker.requestqueue.size="
                    + capacity + " is for connections without a waiting request";
        }
        Route route = backlog.roomOf(exchange);
        if (route != Route.BATCH && !hasRoomApart(ofRoute(route), backlog.inRoomsApart())) {
            return ofRoute(route) + " slow requests wait, or requests behind them on their connections; they get an "
                    + "eighth of broker.requestqueue.size=" + capacity + ", and a connection gets no more of it than "
                    + "it leaves to others";
        }
        if (backlog.size() > capacity - size && !isFullOfBytes(exchange)) {
            return backlog.size() + " requests of this connection wait; a connection gets no more of "
                    + "broker.requestqueue.size=" + capacity + " than it leaves to others";
        }
        return obstacleOfBytes(exchange, backlog);
    }

    private String obstacleOfBytes(Exchange exchange, Backlog backlog) {
        if (isFullOfBytes(exchange)) {
            return "the requests in the broker's queue use " + bytes + " bytes; they may use " + byteCapacity
                    + " bytes, a part of its heap";
        }
        if (backlog.bytes() > byteCapacity - bytes) {
            return "the waiting requests of this connection use " + backlog.bytes() + " bytes; a connection gets no "
                    + "more of " + byteCapacity + " bytes, a part of the broker's heap, than it leaves to others";
        }
        return null;
    }

    private boolean isFullOfBytes(Exchange exchange) {
        return bytes + exchange.bytes() > byteCapacity && size > 0;
    }

    private boolean hasRoomApart(int used, int ofConnection) {
        int room = Math.max(1, capacity / APART);
        return used < room && ofConnection <= room - used
                && (ofConnection == 0 || used < room - room / FIRST_REQUESTS);
    }

    private int ofRoute(Route route) {
        return apart.getOrDefault(route, 0);
    }

    /** Counts a request that was added to its connection's backlog. */
    void added(Exchange exchange) {
        count(1, exchange.bytes());
        if (exchange.room != Route.BATCH) {
            apart.merge(exchange.room, 1, Integer::sum);
        }
        Backlog backlog = exchange.connection().backlog;
        if (backlog.held) {
            hold(backlog, 1, exchange.bytes());
        }
    }

    /** Counts the first request of its connection's backlog as taken. */
    void taken(Exchange exchange) {
        if (exchange.room != Route.BATCH) {
            apart.merge(exchange.room, -1, Integer::sum);
        }
        Backlog backlog = exchange.connection().backlog;
        if (backlog.heldCount > 0) {
            hold(backlog, -1, -exchange.bytes());
        }
        count(-1, -exchange.bytes());
    }

    /** Counts all waiting requests of the connection as held from now on. */
    void hold(Backlog backlog) {
        hold(backlog, backlog.size() - backlog.heldCount, backlog.bytes() - backlog.heldBytes);
    }

    private void hold(Backlog backlog, int requests, long weight) {
        count(-requests, -weight);
        heldSize += requests;
        heldBytes += weight;
        backlog.heldCount += requests;
        backlog.heldBytes += weight;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void count(int requests, long weight) {
        size += requests;
        bytes += weight;
    }
}
