package ch.ethz.mlmq.log;

import java.time.Duration;

/** A timer of an agent that repeats its work. Used by one thread; times are those of {@link System#nanoTime} [ns]. */
public final class Every {
    private final long periodNanos;
    private long dueNanos;

    Every(Duration period, long firstNanos) {
        this.periodNanos = period.toNanos();
        this.dueNanos = firstNanos;
    }

    /** @return a timer that is due at once, and then once a period */
    public static Every startingNow(Duration period) {
        return new Every(period, System.nanoTime());
    }

    /** @return a timer that is due once a period, for the first time after one period */
    public static Every after(Duration period) {
        return new Every(period, System.nanoTime() + period.toNanos());
    }

    /** @return true if it is due; then the next period begins */
    public boolean isDue(long nowNanos) {
        if (nowNanos - dueNanos < 0) {
            return false;
        }
        dueNanos = nowNanos + periodNanos;
        return true;
    }

    /** Begins a new period. */
    public void restart(long nowNanos) {
        dueNanos = nowNanos + periodNanos;
    }

    /**
     * Makes a pause after work that may take long, so that the work takes only a small part of the time.
     *
     * @param beganNanos when the work began
     * @param endNanos   when it ended, and the pause begins
     * @param times      smallest ratio of the pause to the work
     */
    public void rest(long beganNanos, long endNanos, int times) {
        dueNanos = endNanos + Math.max(periodNanos, times * (endNanos - beganNanos));
    }
}
