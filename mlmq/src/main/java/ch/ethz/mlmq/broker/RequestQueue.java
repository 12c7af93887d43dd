package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What stands between the I/O threads and the workers: bounded, so that overload is seen at once and here.
 *
 * <p>What waits in it are connections with requests. The requests of a connection are with one worker at a time, so
 * they are executed in the order in which they came, however many workers there are.
 *
 * <p>A connection may have as much waiting as is still free, so that one alone gets half of the room. The last eighth
 * is for connections that have nothing waiting: who sends one request at a time finds room beside those who send many.
 * Requests of a connection that does not read its answers cannot be executed; they are held outside of that room.
 *
 * <p>Requests that may take long go apart, each route to a worker of its own: see {@link Route}. Those of a route, and
 * what waits behind them on their connections, have an eighth of the room, shared in the same way, and the worker a
 * fifth or a tenth of the time while other requests are at work.
 */
final class RequestQueue {
    /** Requests that are worth a second batch while another one is with the database; fewer join the next one. */
    private static final int WORTH_A_BATCH = 40;
    /** The part of the room that is for first requests. */
    private static final int FIRST_REQUESTS = 8;
    /** The part of the room that is for slow requests and those behind them. */
    private static final int APART = 8;
    private static final long MAX_REST_APART_NANOS = 30_000_000_000L;
    /** Others are at work where their last batch was taken less than this ago. */
    private static final long LULL_NANOS = 100_000_000;
    private static final long LOOK_APART_NANOS = 1_000_000;
    /** Yet nobody waits longer for a batch that takes its time. */
    private static final long PATIENCE_NANOS = 2_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Deque<ClientConnection> ready = new ArrayDeque<>();
    private final Map<Route, Apart> apart = new EnumMap<>(Route.class);
    private final int capacity;
    private final long byteCapacity;
    private final int batchMax;
    private final long batchBytes;
    private final long answerBytes;
    private final int worthwhile;
    private final Set<ClientConnection> held = new HashSet<>();
    private volatile int size;
    private long bytes;
    private int heldSize;
    private long heldBytes;
    private int busy;
    private int batches;
    private int patient;
    private long lastTakenNanos;
    private boolean closed;

    /** A route apart. */
    private final class Apart {
        private final Condition filled = lock.newCondition();
        private final Deque<ClientConnection> ready = new ArrayDeque<>();
        private int size;
        private long takenNanos;
        private long restNanos = System.nanoTime();
    }

    /**
     * @param capacity     requests
     * @param byteCapacity what the requests may hold on to [bytes]
     * @param batchMax     requests that a worker takes at most
     * @param batchBytes   what they may hold on to, where it is more than one request [bytes]
     */
    RequestQueue(int capacity, long byteCapacity, int batchMax, long batchBytes) {
        this(capacity, byteCapacity, batchMax, batchBytes, Long.MAX_VALUE);
    }

    /**
     * The same.
     *
     * @param answerBytes what the answers to one connection's requests in a batch may come to, where it is more than
     *        one request [bytes]
     */
    RequestQueue(int capacity, long byteCapacity, int batchMax, long batchBytes, long answerBytes) {
        this.answerBytes = answerBytes;
        this.capacity = capacity;
        this.byteCapacity = byteCapacity;
        this.batchMax = batchMax;
        this.batchBytes = batchBytes;
        this.worthwhile = Math.min(WORTH_A_BATCH, batchMax);
        apart.put(Route.QUEUES, new Apart());
        apart.put(Route.SEARCHES, new Apart());
    }

    /**
     * Adds requests, under one lock for all of them.
     *
     * @param refused gets those there is no room for, answered with which room that is
     */
    void offer(List<Exchange> exchanges, List<Exchange> refused) {
        lock.lock();
        try {
            for (Exchange exchange : exchanges) {
                String obstacle = obstacle(exchange);
                if (obstacle == null) {
                    add(exchange);
                } else {
                    exchange.answer(new Response.Failure(Status.OVERLOADED, obstacle));
                    refused.add(exchange);
                }
            }
            signal();
        } finally {
            lock.unlock();
        }
    }

    /** @return why there is no room for the request, or null where there is */
    private String obstacle(Exchange exchange) {
        ClientConnection connection = exchange.connection;
        if (size >= capacity) {
            return "the broker's request queue is full: " + size + " requests wait, and broker.requestqueue.size="
                    + capacity;
        }
        if (size >= capacity - capacity / FIRST_REQUESTS && !connection.pending.isEmpty()) {
            return size + " requests wait in the broker's request queue; what is left of broker.requestqueue.size="
                    + capacity + " is for connections of which none waits";
        }
        Route route = room(exchange);
        if (route != Route.BATCH && !hasRoom(apart.get(route).size, connection.behindApart)) {
            return apart.get(route).size + " requests wait that take long, or behind such on their connections; of "
                    + "broker.requestqueue.size=" + capacity + " they get an eighth, and a connection no more of it "
                    + "than it leaves to the others";
        }
        if (bytes + exchange.bytes > byteCapacity && size > 0) {
            return "the requests in the broker's queue hold " + bytes + " bytes; together they may hold " + byteCapacity
                    + " bytes, a part of its heap";
        }
        if (connection.pending.size() > capacity - size) {
            return connection.pending.size() + " requests of this connection wait; of broker.requestqueue.size="
                    + capacity + " a connection gets no more than it leaves to the others";
        }
        if (connection.pendingBytes > byteCapacity - bytes) {
            return "the requests of this connection that wait hold " + connection.pendingBytes + " bytes; of "
                    + byteCapacity + " bytes, a part of the broker's heap, a connection gets no more than it leaves "
                    + "to the others";
        }
        return null;
    }

    private boolean hasRoom(int used, int ofConnection) {
        int room = Math.max(1, capacity / APART);
        return used < room && ofConnection <= room - used
                && (ofConnection == 0 || used < room - room / FIRST_REQUESTS);
    }

    /**
     * The connection does not read its answers: its requests are held outside of the queue until {@link #resume}.
     *
     * @return the connection of which most is held, to be closed, where too much is held; else null
     */
    ClientConnection hold(ClientConnection connection) {
        lock.lock();
        try {
            if (!connection.held) {
                connection.held = true;
                held.add(connection);
                moveToHeld(connection, connection.pending.size() - connection.heldCount,
                        connection.pendingBytes - connection.heldBytes);
            }
            return heldSize <= capacity && heldBytes <= byteCapacity / 2 ? null
                    : held.stream().max(Comparator.comparingLong(one -> one.pendingBytes)).orElseThrow();
        } finally {
            lock.unlock();
        }
    }

    /** Adds a request that was here before and had to wait for a message; it is not refused. */
    void offerAgain(Exchange exchange) {
        lock.lock();
        try {
            add(exchange);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes what waits, without waiting for more once there is something. {@link #done} must follow.
     *
     * @param batch         filled in order of arrival within each connection
     * @param timeoutMillis how long to wait for something [ms]
     */
    void take(RequestBatch batch, long timeoutMillis) throws InterruptedException {
        lock.lock();
        try {
            if (ready.isEmpty() && !closed) {
                filled.await(timeoutMillis, TimeUnit.MILLISECONDS);
            }
            awaitWorthwhile();
            long weight = 0;
            while (batch.exchanges.size() < batchMax && weight < batchBytes && !ready.isEmpty()) {
                ClientConnection connection = ready.poll();
                if (connection.held) {
                    connection.scheduled = false;
                    continue;
                }
                weight += take(connection, batch.exchanges, batchBytes - weight);
                batch.connections.add(connection);
                busy++;
            }
            if (!batch.exchanges.isEmpty()) {
                batches++;
                lastTakenNanos = System.nanoTime();
            }
            if (!ready.isEmpty()) {
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes one request of a route apart. {@link #doneApart} must follow where there is one.
     *
     * @param timeoutMillis how long to wait for one [ms]
     */
    void takeApart(Route route, RequestBatch batch, long timeoutMillis) throws InterruptedException {
        Apart from = apart.get(route);
        lock.lock();
        try {
            if (from.ready.isEmpty() && !closed) {
                from.filled.await(timeoutMillis, TimeUnit.MILLISECONDS);
            }
            long now = System.nanoTime();
            for (; !closed && now - from.restNanos < 0 && othersAtWork(now); now = System.nanoTime()) {
                from.filled.awaitNanos(LOOK_APART_NANOS);
            }
            from.takenNanos = now;
            ClientConnection connection = from.ready.poll();
            if (connection != null && connection.held) {
                connection.scheduled = false;
            } else if (connection != null) {
                batch.exchanges.add(poll(connection));
                batch.connections.add(connection);
                busy++;
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean othersAtWork(long now) {
        return batches > 0 || !ready.isEmpty() || now - lastTakenNanos < LULL_NANOS;
    }

    /** The same as {@link #done}, after {@link #takeApart}. */
    void doneApart(Route route, List<ClientConnection> connections) {
        Apart from = apart.get(route);
        lock.lock();
        try {
            long now = System.nanoTime();
            from.restNanos = now + Math.min(MAX_REST_APART_NANOS, route.rest() * (now - from.takenNanos));
            executed(connections);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The connections' requests have been executed: their next ones may be taken, as far as they can be answered. Wakes
     * nobody, as the worker itself comes back to take them.
     */
    void done(List<ClientConnection> connections) {
        lock.lock();
        try {
            batches--;
            executed(connections);
        } finally {
            lock.unlock();
        }
    }

    private void executed(List<ClientConnection> connections) {
        for (ClientConnection connection : connections) {
            busy--;
            connection.scheduled = false;
            schedule(connection);
        }
    }

    /**
     * The connection has caught up with its answers, or was closed: what waits of it may be taken. Until then it counts
     * as held, so that others do not lose their room where many resume at once.
     */
    void resume(ClientConnection connection) {
        lock.lock();
        try {
            if (connection.held) {
                connection.held = false;
                held.remove(connection);
            }
            schedule(connection);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /** @return requests that wait */
    int size() {
        return size;
    }

    /** @return whether nothing waits and nothing is being executed */
    boolean isIdle() {
        lock.lock();
        try {
            return size == 0 && heldSize == 0 && busy == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waiting for requests. */
    void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
            apart.values().forEach(route -> route.filled.signalAll());
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void add(Exchange exchange) {
        ClientConnection connection = exchange.connection;
        size++;
        bytes += exchange.bytes;
        exchange.room = room(exchange);
        if (exchange.room != Route.BATCH) {
            apart.get(exchange.room).size++;
            connection.behindApart++;
        }
        if (exchange.route != Route.BATCH) {
            connection.apartPending++;
            connection.lastApart = exchange.route;
        }
        connection.pending.add(exchange);
        connection.pendingBytes += exchange.bytes;
        if (connection.held) {
            moveToHeld(connection, 1, exchange.bytes);
        }
        schedule(connection);
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void moveToHeld(ClientConnection connection, int count, long weight) {
        size -= count;
        bytes -= weight;
        heldSize += count;
        heldBytes += weight;
        connection.heldCount += count;
        connection.heldBytes += weight;
    }

    private static Route room(Exchange exchange) {
        return exchange.route != Route.BATCH || exchange.connection.apartPending == 0 ? exchange.route
                : exchange.connection.lastApart;
    }

    private Exchange poll(ClientConnection connection) {
        Exchange exchange = connection.pending.poll();
        if (exchange.room != Route.BATCH) {
            apart.get(exchange.room).size--;
            connection.behindApart--;
        }
        connection.apartPending -= exchange.route != Route.BATCH ? 1 : 0;
        taken(connection, exchange.bytes);
        return exchange;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void taken(ClientConnection connection, long weight) {
        connection.pendingBytes -= weight;
        if (connection.heldCount > 0) {
            moveToHeld(connection, -1, -weight);
        }
        size--;
        bytes -= weight;
    }

    private void schedule(ClientConnection connection) {
        if (!connection.scheduled && !connection.pending.isEmpty() && !connection.held && !connection.isCongested()) {
            connection.scheduled = true;
            Apart route = apart.get(connection.pending.peek().route);
            if (route == null) {
                ready.add(connection);
            } else {
                route.ready.add(connection);
                route.filled.signal();
            }
        }
    }

    private void signal() {
        if (!ready.isEmpty() && (patient == 0 || isWorthwhile())) {
            filled.signal();
        }
    }

    private boolean isWorthwhile() {
        return batches == 0 || size >= worthwhile;
    }

    private void awaitWorthwhile() throws InterruptedException {
        patient++;
        try {
            long rest = PATIENCE_NANOS - (System.nanoTime() - lastTakenNanos);
            while (!ready.isEmpty() && !closed && !isWorthwhile() && rest > 0) {
                filled.awaitNanos(rest);
                rest = PATIENCE_NANOS - (System.nanoTime() - lastTakenNanos);
            }
        } finally {
            patient--;
        }
    }

    /** A request that decides who the client is, or that it leaves, is the last one of its connection in a batch. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private long take(ClientConnection connection, List<Exchange> batch, long room) {
        long weight = 0;
        long answers = 0;
        boolean last = false;
        while (!last && batch.size() < batchMax && weight < room && answers < answerBytes
                && !connection.pending.isEmpty() && connection.pending.peek().route == Route.BATCH) {
            Exchange exchange = poll(connection);
            weight += exchange.weight;
            answers += exchange.answerWeight();
            batch.add(exchange);
            last = switch (exchange.request().type()) {
                case REGISTER, GOODBYE -> true;
                default -> false;
            };
        }
        return weight;
    }
}
