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
 * What stands between the I/O threads and the workers: bounded, so that overload is seen at once and here.
 *
 * <p>What waits in it are connections with requests. The requests of a connection are with one worker at a time, so
 * they are executed in the order in which they came, however many workers there are.
 *
 * <p>{@link QueueRoom} says how much may wait. Requests of a connection that does not read its answers cannot be
 * executed; they are held outside of that room.
 *
 * <p>Requests that may take long go apart, each route to a worker of its own: see {@link Route}. Its worker has a fifth
 * or a tenth of the time while other requests are at work.
 */
public final class RequestQueue {
    /** Requests that are worth a second batch while another one is with the database; fewer join the next one. */
    public static final int WORTH_A_BATCH = 40;
    private static final long MAX_REST_APART_NANOS = 30_000_000_000L;
    /** Others are at work where their last batch was taken less than this ago. */
    private static final long LULL_NANOS = 100_000_000;
    private static final long LOOK_APART_NANOS = 1_000_000;
    /** The part of the heap that waiting requests may hold on to. */
    private static final int HEAP_SHARE = 4;
    /** Yet nobody waits longer for a batch that takes its time. */
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

    /** A route apart. */
    private final class Apart {
        private final Condition filled = lock.newCondition();
        private final Deque<ClientConnection> ready = new ArrayDeque<>();
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
        this.room = new QueueRoom(capacity, byteCapacity);
        this.batchMax = batchMax;
        this.batchBytes = batchBytes;
        this.worthwhile = Math.min(WORTH_A_BATCH, batchMax);
        apart.put(Route.QUEUES, new Apart());
        apart.put(Route.SEARCHES, new Apart());
    }

    /** @return a queue of as much as the broker takes on */
    public static RequestQueue of(BrokerLimits limits) {
        return new RequestQueue(limits.requestQueue(), Runtime.getRuntime().maxMemory() / HEAP_SHARE, limits.batchMax(),
                BrokerLimits.BATCH_BYTES, limits.outboundMax());
    }

    /**
     * Adds requests, under one lock for all of them.
     *
     * @param refused gets those there is no room for, answered with which room that is
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
     * The connection does not read its answers: its requests are held outside of the queue until {@link #resume}.
     *
     * @return the connection of which most is held, to be closed, where too much is held; else null
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

    /** Adds a request that was here before and had to wait for a message; it is not refused. */
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
     * Takes what waits, without waiting for more once there is something. {@link #done} must follow.
     *
     * @param batch         filled in order of arrival within each connection
     * @param timeoutMillis how long to wait for something [ms]
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

    private boolean othersAtWork(long now) {
        return batches > 0 || !ready.isEmpty() || now - lastTakenNanos < LULL_NANOS;
    }

    /** The same as {@link #done}, after {@link #takeApart}. */
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
     * The connections' requests have been executed: their next ones may be taken, as far as they can be answered. Wakes
     * nobody, as the worker itself comes back to take them.
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
     * The connection has caught up with its answers, or was closed: what waits of it may be taken. Until then it counts
     * as held, so that others do not lose their room where many resume at once.
     */
    public void resume(ClientConnection connection) {
        lock.lock();
        try {
            if (connection.backlog.held) {
                connection.backlog.held = false;
                held.remove(connection);
            }
            schedule(connection);
            signal();
        } finally {
            lock.unlock();
        }
    }

    /** @return requests that wait */
    public int size() {
        return room.size();
    }

    /** @return whether nothing waits and nothing is being executed */
    public boolean isIdle() {
        lock.lock();
        try {
            return room.isEmpty() && busy == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waiting for requests. */
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

    /** A request that decides who the client is, or that it leaves, is the last one of its connection in a batch. */
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
