package ch.ethz.mlmq.scenario.selfcheck;

/**
 * How much too late a thread that should run at given instants ran at worst, for whatever reason: a collection, a busy
 * machine, its own work. Used by one thread; read by any.
 */
public final class StallMeter {
    private volatile long longestNanos;

    /**
     * @param dueNanos when the thread wanted to run [ns]
     * @param nowNanos when it did [ns]
     */
    public void ran(long dueNanos, long nowNanos) {
        if (nowNanos - dueNanos > longestNanos) {
            longestNanos = nowNanos - dueNanos;
        }
    }

    /** Forgets what was before, where a new span of measuring starts. */
    public void reset() {
        longestNanos = 0;
    }

    /** @return the longest delay [ns] */
    public long longestNanos() {
        return longestNanos;
    }
}
