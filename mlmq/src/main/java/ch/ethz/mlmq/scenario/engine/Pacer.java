package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.selfcheck.StallMeter;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The thread that starts things at their time: arrivals of an open load, thoughts that are over, the next step. It
 * knows how much too late it was at worst, for whatever it did too late was measured too late.
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

    /** Something to do at a time; of two at the same time the one asked for first. */
    private record Timer(long dueNanos, long askedNanos, long sequence, Runnable action) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(dueNanos - other.dueNanos, 0);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }

        /** @return when it could be done at the earliest; what was asked for too late is not the pacer's delay */
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

    /** Done by the pacer's thread. */
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

    /** @return how much too late things were done */
    public StallMeter stalls() {
        return stalls;
    }

    /** Forgets what is still to do. */
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
            LOG.log(Level.SEVERE, "the pacer goes on after", e);
        }
    }

    /** @return the next thing that is due, when it is; null where the pacer was closed */
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
