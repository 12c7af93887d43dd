package ch.ethz.mlmq.broker.request;

import java.util.EnumMap;
import java.util.Map;

/**
 * How much waits in the request queue, and whether there is room for more. Guarded by the queue's lock.
 *
 * <p>A connection may have as much waiting as is still free, so that one alone gets half of the room. The last eighth
 * is for connections that have nothing waiting: who sends one request at a time finds room beside those who send many.
 * Routes apart have an eighth each, shared in the same way. What is held counts apart from all that.
 */
final class QueueRoom {
    /** The part of the room that is for first requests. */
    private static final int FIRST_REQUESTS = 8;
    /** The part of the room that is for slow requests and those behind them. */
    private static final int APART = 8;

    private final int capacity;
    private final long byteCapacity;
    private final Map<Route, Integer> apart = new EnumMap<>(Route.class);
    /** Read without the lock, too. */
    private volatile int size;
    private long bytes;
    private int heldSize;
    private long heldBytes;

    /**
     * @param capacity     requests
     * @param byteCapacity what the requests may hold on to [bytes]
     */
    QueueRoom(int capacity, long byteCapacity) {
        this.capacity = capacity;
        this.byteCapacity = byteCapacity;
    }

    /** @return requests that wait and are not held; may be asked by any thread */
    int size() {
        return size;
    }

    /** @return whether nothing waits, held or not */
    boolean isEmpty() {
        return size == 0 && heldSize == 0;
    }

    boolean isTooMuchHeld() {
        return heldSize > capacity || heldBytes > byteCapacity / 2;
    }

    /** @return why there is no room for the request, or null where there is */
    String obstacle(Exchange exchange) {
        Backlog backlog = exchange.connection().backlog;
        if (size >= capacity) {
            return "the broker's request queue is full: " + size + " requests wait, and broker.requestqueue.size="
                    + capacity;
        }
        if (size >= capacity - capacity / FIRST_REQUESTS && !backlog.isEmpty()) {
            return size + " requests wait in the broker's request queue; what is left of broker.requestqueue.size="
                    + capacity + " is for connections of which none waits";
        }
        Route route = backlog.roomOf(exchange);
        if (route != Route.BATCH && !hasRoomApart(ofRoute(route), backlog.inRoomsApart())) {
            return ofRoute(route) + " requests wait that take long, or behind such on their connections; of "
                    + "broker.requestqueue.size=" + capacity + " they get an eighth, and a connection no more of it "
                    + "than it leaves to the others";
        }
        if (backlog.size() > capacity - size && !isFullOfBytes(exchange)) {
            return backlog.size() + " requests of this connection wait; of broker.requestqueue.size="
                    + capacity + " a connection gets no more than it leaves to the others";
        }
        return obstacleOfBytes(exchange, backlog);
    }

    private String obstacleOfBytes(Exchange exchange, Backlog backlog) {
        if (isFullOfBytes(exchange)) {
            return "the requests in the broker's queue hold " + bytes + " bytes; together they may hold " + byteCapacity
                    + " bytes, a part of its heap";
        }
        if (backlog.bytes() > byteCapacity - bytes) {
            return "the requests of this connection that wait hold " + backlog.bytes() + " bytes; of "
                    + byteCapacity + " bytes, a part of the broker's heap, a connection gets no more than it leaves "
                    + "to the others";
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

    /** A request waits in its connection's backlog. */
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

    /** The first request of its connection's backlog waits no more. */
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

    /** All that waits of the connection counts as held from now on. */
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
