package ch.ethz.mlmq.driver.jms;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.jms.Message;

/**
 * Messages that the broker has pushed and that no take has got. Only so many wait here, as ActiveMQ's library looks
 * through all of them at each acknowledgement, and the broker takes what waits here as consumed, so that it pushes
 * more. One more holds up the thread that brings it. Thread-safe.
 */
final class PushedMessages {
    static final int MOST = 1_000;
    private static final long LOOK_MILLIS = 50;

    private final BlockingQueue<Pushed> waiting = new LinkedBlockingQueue<>(MOST);
    private volatile boolean closed;

    /**
     * A message that is not acknowledged.
     *
     * @param subscription number of the subscription that got it
     */
    record Pushed(int subscription, Message message) {
    }

    /** Adds a message, once there is room. A message that comes after the end stays at the broker. */
    void add(Pushed message) {
        try {
            boolean added = false;
            while (!added && !closed) {
                added = waiting.offer(message, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return the next message, or null if none comes in time */
    Pushed next(long waitMillis) {
        try {
            return waiting.poll(waitMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Lets threads go that wait for room. */
    void close() {
        closed = true;
    }
}
