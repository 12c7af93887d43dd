package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.broker.limits.BrokerLimits;
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
 * Bounded queue of requests from the I/O threads to the workers, so that overload shows here, and at once.
 *
 * <p>Its elements are connections with requests. The requests of a connection are with one worker at a time, so they
 * are executed in the order of arrival, however many workers there are.
 *
 * <p>{@link QueueRoom} limits the waiting requests. Requests of a connection that does not read its responses cannot be
 * executed; they are held outside of that room.
 *
 * <p>Requests that may take long have separate routes, each with its own worker: see {@link Route}. Such a worker works
 * a fifth or a tenth of the time while other requests are active.
 */
public final class RequestQueue {
    /**
     * Number of waiting requests that justify a second batch while another one is in the database; fewer join the next
     * one.
     */
    public static final int WORTH_A_BATCH = 40;
    private static final long MAX_REST_APART_NANOS = 30_000_000_000L;
    /** Other requests count as active if their last batch was taken less than this ago. */
    private static final long LULL_NANOS = 100_000_000;
    private static final long LOOK_APART_NANOS = 1_000_000;
    /** Divisor of the heap: waiting requests may hold this part of it. */
    private static final int HEAP_SHARE = 4;
    /** Longest wait for a batch in the database, even if it takes longer. */
    public static final long PATIENCE_NANOS = 2_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Deque<ClientConnection> ready = new ArrayDeque<>();
    private final Map<Route, Apart> apart = new EnumMap<>(Route.class);
    private final QueueRoom room;
    private final int batchMax;
    private final long batchBytes;
    private final long answerBytes;
    private final int worthwhile;
    private final Set<ClientConnection> held = new HashSet<>();
    private int busy;
    private int batches;
    private int patient;
    private long lastTakenNanos;
    private boolean closed;

    /** Queue of a separate route. */
    private final class Apart {
        private final Condition filled = lock.newCondition();
        private final Deque<ClientConnection> ready = new ArrayDeque<>();
        private long takenNanos;
        private long restNanos = System.nanoTime();
    }

    /**
     * @param capacity     requests
     * @param byteCapacity bytes that the requests may hold
     * @param batchMax     requests that a worker takes at most
     * @param batchBytes   bytes that they may hold; a single request may exceed it
     */
    RequestQueue(int capacity, long byteCapacity, int batchMax, long batchBytes) {
        this(capacity, byteCapacity, batchMax, batchBytes, Long.MAX_VALUE);
    }

    /**
     * Makes a queue.
     *
     * @param answerBytes bytes that the responses to one connection's requests in a batch may take; a single response
     * may exceed it
     */
    RequestQueue(int capacity, long byteCapacity, int batchMax, long batchBytes, long answerBytes) {
        this.answerBytes = answerBytes;
        this.room = new QueueRoom(capacity, byteCapacity);
        this.batchMax = batchMax;
        this.batchBytes = batchBytes;
        this.worthwhile = Math.min(WORTH_A_BATCH, batchMax);
        apart.put(Route.QUEUES, new Apart());
        apart.put(Route.SEARCHES, new Apart());
    }

    /** @return a queue with the capacities that the broker's limits allow */
    public static RequestQueue of(BrokerLimits limits) {
        return new RequestQueue(limits.requestQueue(), Runtime.getRuntime().maxMemory() / HEAP_SHARE, limits.batchMax(),
                BrokerLimits.BATCH_BYTES, limits.outboundMax());
    }

    /**
     * Adds requests under one lock.
     *
     * @param refused gets requests that find no room, with a response that names the limit
     */
    public void offer(List<Exchange> exchanges, List<Exchange> refused) {
        lock.lock();
        try {
            for (Exchange exchange : exchanges) {
                String obstacle = room.obstacle(exchange);
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

    /**
     * Holds the requests of a connection that does not read its responses outside of the queue until {@link #resume}.
     *
     * @return the connection with most held bytes, which the caller must close, if too much is held; else null
     */
    public ClientConnection hold(ClientConnection connection) {
        lock.lock();
        try {
            if (!connection.backlog.held) {
                connection.backlog.held = true;
                held.add(connection);
                room.hold(connection.backlog);
            }
            return room.isTooMuchHeld()
                    ? held.stream().max(Comparator.comparingLong(one -> one.backlog.bytes())).orElseThrow() : null;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a request that was taken before and had to wait for a message; it is never refused. */
    public void offerAgain(Exchange exchange) {
        lock.lock();
        try {
            add(exchange);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the waiting requests, at most a batch. {@link #done} must follow.
     *
     * @param batch         filled in order of arrival within each connection
     * @param timeoutMillis longest wait for a request [ms]
     */
    public void take(RequestBatch batch, long timeoutMillis) throws InterruptedException {
        lock.lock();
        try {
            if (ready.isEmpty() && !closed) {
                filled.await(timeoutMillis, TimeUnit.MILLISECONDS);
            }
            awaitWorthwhile();
            long weight = 0;
            while (batch.exchanges.size() < batchMax && weight < batchBytes && !ready.isEmpty()) {
                ClientConnection connection = ready.poll();
                if (connection.backlog.held) {
                    connection.backlog.scheduled = false;
                    continue;
                }
                weight += take(connection.backlog, batch.exchanges, batchBytes - weight);
                batch.connections.add(connection);
                busy++;
            }
            batch.room = batchBytes - weight;
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
     * Takes one request of a separate route. {@link #doneApart} must follow if there is one.
     *
     * @param timeoutMillis longest wait for a request [ms]
     */
    public void takeApart(Route route, RequestBatch batch, long timeoutMillis) throws InterruptedException {
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
            if (connection != null && connection.backlog.held) {
                connection.backlog.scheduled = false;
            } else if (connection != null) {
                batch.exchanges.add(poll(connection.backlog));
                batch.connections.add(connection);
                busy++;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds a request that has waited for a message to a batch, if that has room and no worker has requests of its
     * connection.
     *
     * @return false if it was not added
     */
    public boolean join(RequestBatch batch, Exchange exchange) {
        ClientConnection connection = exchange.connection();
        lock.lock();
        try {
            Backlog backlog = connection.backlog;
            if (batch.exchanges.size() >= batchMax || exchange.weight() > batch.room || backlog.scheduled
                    || !backlog.isEmpty() || backlog.held || connection.link().isCongested()) {
                return false;
            }
            backlog.scheduled = true;
            batch.room -= exchange.weight();
            batch.exchanges.add(exchange);
            batch.connections.add(connection);
            busy++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean othersAtWork(long now) {
        return batches > 0 || !ready.isEmpty() || now - lastTakenNanos < LULL_NANOS;
    }

    /** Ends what {@link #takeApart} began, as {@link #done} does. */
    public void doneApart(Route route, List<ClientConnection> connections) {
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
     * Lets workers take the next requests of connections whose requests have been executed. Wakes no thread, as the
     * calling worker itself takes them next.
     */
    public void done(List<ClientConnection> connections) {
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
            connection.backlog.scheduled = false;
            schedule(connection);
        }
    }

    /**
     * Resumes a connection that has caught up with its responses, or was closed. Its waiting requests count as held
     * until they are taken, so that others do not lose their room when many connections resume at once.
     */
    public void resume(ClientConnection connection) {
        lock.lock();
        try {
            if (connection.backlog.held) {
                connection.backlog.held = false;
                connection.backlog.queued(System.nanoTime());
                held.remove(connection);
            }
            schedule(connection);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /** @return number of waiting requests */
    public int size() {
        return room.size();
    }

    /** @return true if no request waits or is being executed */
    public boolean isIdle() {
        lock.lock();
        try {
            return room.isEmpty() && busy == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the queue: all waiting threads resume. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
            apart.values().forEach(route -> route.filled.signalAll());
        } finally {
            lock.unlock();
        }
    }

    private void add(Exchange exchange) {
        exchange.connection().backlog.add(exchange);
        room.added(exchange);
        schedule(exchange.connection());
    }

    private Exchange poll(Backlog backlog) {
        Exchange exchange = backlog.poll();
        room.taken(exchange);
        return exchange;
    }

    private void schedule(ClientConnection connection) {
        Backlog backlog = connection.backlog;
        if (!backlog.scheduled && !backlog.isEmpty() && !backlog.held && !connection.link().isCongested()) {
            backlog.scheduled = true;
            Apart route = apart.get(backlog.nextRoute());
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
        return batches == 0 || room.size() >= worthwhile;
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

    /** Takes requests of one connection; one that registers or says goodbye is its last one in a batch. */
    private long take(Backlog backlog, List<Exchange> batch, long left) {
        long weight = 0;
        long answers = 0;
        boolean last = false;
        while (!last && batch.size() < batchMax && weight < left && answers < answerBytes
                && backlog.nextRoute() == Route.BATCH) {
            Exchange exchange = poll(backlog);
            weight += exchange.weight();
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
