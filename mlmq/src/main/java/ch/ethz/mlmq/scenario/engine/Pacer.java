package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.selfcheck.StallMeter;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs actions at their times in one thread: arrivals of an open load, ends of think times, steps. It records its
 * longest delay, because a late action is measured late.
 */
public final class Pacer implements Timers, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Pacer.class.getName());

    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final StallMeter stalls = new StallMeter();
    private final Thread thread = new Thread(this::run, "pacer");
    private long sequence;
    private boolean closed;

    /** An action with its time. Actions of the same time run in the order of their requests. */
    private record Timer(long dueNanos, long askedNanos, long sequence, Runnable action) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(dueNanos - other.dueNanos, 0);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }

        /** @return the earliest possible time; a late request for an action is no delay of the pacer */
        private long possibleNanos() {
            return askedNanos - dueNanos > 0 ? askedNanos : dueNanos;
        }
    }

    /** Starts the thread. */
    public Pacer() {
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** Runs the action in the pacer's thread. */
    @Override
    public void at(long dueNanos, Runnable action) {
        lock.lock();
        try {
            Timer timer = new Timer(dueNanos, System.nanoTime(), sequence++, action);
            timers.add(timer);
            if (timers.peek() == timer) {
                earlier.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** @return the delays of actions */
    public StallMeter stalls() {
        return stalls;
    }

    /** Drops the remaining actions. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            earlier.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (Timer timer = next(); timer != null; timer = next()) {
                stalls.ran(timer.possibleNanos(), System.nanoTime());
                execute(timer.action);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void execute(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, "the pacer continues after an error", e);
        }
    }

    /** @return the next action when it is due; null if the pacer was closed */
    private Timer next() throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                Timer first = timers.peek();
                long wait = first == null ? Long.MAX_VALUE : first.dueNanos - System.nanoTime();
                if (wait <= 0) {
                    return timers.poll();
                }
                earlier.await(wait, TimeUnit.NANOSECONDS);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }
}
