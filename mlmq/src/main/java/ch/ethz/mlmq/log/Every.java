package ch.ethz.mlmq.log;

import java.time.Duration;

/** When an agent has something to do again. Used by one thread; times are those of {@link System#nanoTime} [ns]. */
public final class Every {
    private final long periodNanos;
    private long dueNanos;

    Every(Duration period, long firstNanos) {
        this.periodNanos = period.toNanos();
        this.dueNanos = firstNanos;
    }

    /** @return due at once, and then once a period */
    public static Every startingNow(Duration period) {
        return new Every(period, System.nanoTime());
    }

    /** @return due once a period, for the first time when one has gone by */
    public static Every after(Duration period) {
        return new Every(period, System.nanoTime() + period.toNanos());
    }

    /** @return whether it is due, in which case the next period begins */
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
     * Rests after work that may take long, so that it takes a small part of the time only.
     *
     * @param beganNanos when the work began
     * @param endNanos   when it ended: the rest begins
     * @param times      how many times as long as the work the rest is at least
     */
    public void rest(long beganNanos, long endNanos, int times) {
        dueNanos = endNanos + Math.max(periodNanos, times * (endNanos - beganNanos));
    }
}
