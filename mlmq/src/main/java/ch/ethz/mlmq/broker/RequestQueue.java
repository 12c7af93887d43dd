package ch.ethz.mlmq.broker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What stands between the I/O threads and the workers: bounded, so that overload is seen at once and here.
 *
 * <p>What waits in it are connections with requests. The requests of a connection are with one worker at a time, so they
 * are executed in the order in which they came, however many workers there are.
 */
final class RequestQueue {
    /** Requests that are worth a second batch while another one is with the database; fewer join the next one. */
    private static final int WORTH_A_BATCH = 40;
    /** Yet nobody waits longer for a batch that takes its time. */
    private static final long PATIENCE_NANOS = 2_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Deque<ClientConnection> ready = new ArrayDeque<>();
    private final int capacity;
    private final long byteCapacity;
    private final int batchMax;
    private final long batchBytes;
    private final int worthwhile;
    private volatile int size;
    private long bytes;
    private int busy;
    private int batches;
    private int patient;
    private long lastTakenNanos;
    private boolean closed;

    /**
     * @param capacity     requests
     * @param byteCapacity what the requests may hold on to [bytes]
     * @param batchMax     requests that a worker takes at most
     * @param batchBytes   what they may hold on to, where it is more than one request [bytes]
     */
    RequestQueue(int capacity, long byteCapacity, int batchMax, long batchBytes) {
        this.capacity = capacity;
        this.byteCapacity = byteCapacity;
        this.batchMax = batchMax;
        this.batchBytes = batchBytes;
        this.worthwhile = Math.min(WORTH_A_BATCH, batchMax);
    }

    /**
     * Adds requests, under one lock for all of them.
     *
     * @param refused gets those that found the queue full
     */
    void offer(List<Exchange> exchanges, List<Exchange> refused) {
        lock.lock();
        try {
            for (Exchange exchange : exchanges) {
                if (size >= capacity || bytes + exchange.weight > byteCapacity && size > 0) {
                    refused.add(exchange);
                } else {
                    add(exchange);
                }
            }
            signal();
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
     * The connections' requests have been executed: their next ones may be taken, as far as they can be answered. Wakes
     * nobody, as the worker itself comes back to take them.
     */
    void done(List<ClientConnection> connections) {
        lock.lock();
        try {
            batches--;
            for (ClientConnection connection : connections) {
                busy--;
                connection.scheduled = false;
                schedule(connection);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The connection has caught up with its answers, or was closed: what waits of it may be taken. */
    void resume(ClientConnection connection) {
        lock.lock();
        try {
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
            return size == 0 && busy == 0;
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
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void add(Exchange exchange) {
        size++;
        bytes += exchange.weight;
        exchange.connection.pending.add(exchange);
        schedule(exchange.connection);
    }

    private void schedule(ClientConnection connection) {
        if (!connection.scheduled && !connection.pending.isEmpty() && !connection.isCongested()) {
            connection.scheduled = true;
            ready.add(connection);
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
        boolean last = false;
        while (!last && batch.size() < batchMax && weight < room && !connection.pending.isEmpty()) {
            Exchange exchange = connection.pending.poll();
            size--;
            bytes -= exchange.weight;
            weight += exchange.weight;
            batch.add(exchange);
            last = switch (exchange.request().type()) {
                case REGISTER, GOODBYE -> true;
                default -> false;
            };
        }
        return weight;
    }
}
