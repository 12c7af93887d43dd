package ch.ethz.mlmq.scenario.selfcheck;

/**
 * Records the longest delay of a thread that should run at given instants, whatever caused it: a collection, a busy
 * machine, its own work. Used by one thread; any thread may read it.
 */
public final class StallMeter {
    private volatile long longestNanos;

    /**
     * @param dueNanos when the thread should have run [ns]
     * @param nowNanos when it ran [ns]
     */
    public void ran(long dueNanos, long nowNanos) {
        if (nowNanos - dueNanos > longestNanos) {
            longestNanos = nowNanos - dueNanos;
        }
    }

    /** Forgets earlier delays, at the start of a new measurement. */
    public void reset() {
        longestNanos = 0;
    }

    /** @return the longest delay [ns] */
    public long longestNanos() {
        return longestNanos;
    }
}
