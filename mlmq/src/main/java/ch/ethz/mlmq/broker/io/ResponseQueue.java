package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.Exchange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Bounded queue of responses from the workers to an I/O thread; a worker waits if it is full. */
final class ResponseQueue {
    private static final long LOOK_AGAIN_MILLIS = 100;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition drained = lock.newCondition();
    private final Deque<Exchange> waiting = new ArrayDeque<>();
    private final IoAgent owner;
    private final int capacity;
    private final long byteCapacity;
    private long bytes;
    private volatile int size;
    private final Consumer<Exchange> tooLate;
    private boolean closed;

    /**
     * @param capacity     number of responses
     * @param byteCapacity bytes that they may hold; a single response may exceed it
     * @param tooLate      gets responses that come after the close, which are not sent
     */
    ResponseQueue(IoAgent owner, int capacity, long byteCapacity, Consumer<Exchange> tooLate) {
        this.tooLate = tooLate;
        this.owner = owner;
        this.capacity = capacity;
        this.byteCapacity = byteCapacity;
    }

    /**
     * Adds those exchanges that belong to the owner, under one lock for all of them.
     *
     * @return true if there was one
     */
    boolean offer(List<Exchange> exchanges) throws InterruptedException {
        boolean added = false;
        lock.lock();
        try {
            for (Exchange exchange : exchanges) {
                if (SocketLink.of(exchange).agent == owner && exchange.response() != null) {
                    while (isFull(exchange) && !closed && !owner.isThisThread()) {
                        owner.wake();
                        drained.await(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
                    }
                    if (closed) {
                        tooLate.accept(exchange);
                        continue;
                    }
                    waiting.add(exchange);
                    bytes += exchange.answerBytes();
                    size = waiting.size();
                    added = true;
                }
            }
        } finally {
            lock.unlock();
        }
        return added;
    }

    /** Moves all waiting responses to the list. */
    void drainTo(List<Exchange> exchanges) {
        if (size == 0) {
            return;
        }
        lock.lock();
        try {
            exchanges.addAll(waiting);
            waiting.clear();
            bytes = 0;
            size = 0;
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isFull(Exchange exchange) {
        return size >= capacity || bytes + exchange.answerBytes() > byteCapacity && size > 0;
    }

    int size() {
        return size;
    }

    /**
     * Closes the queue: waiting workers resume, later responses go to {@code tooLate}. The owner drains it once more.
     */
    void close() {
        lock.lock();
        try {
            closed = true;
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
