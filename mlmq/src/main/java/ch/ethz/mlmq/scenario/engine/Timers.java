package ch.ethz.mlmq.scenario.engine;

/** Does things at their times, by one clock. */
interface Timers {
    /** @return now [ns]; only differences mean something */
    long nanoTime();

    /**
     * @param dueNanos when to do it, by {@link #nanoTime}; at once where that is over
     * @param action   short, as whatever it keeps waiting comes late
     */
    void at(long dueNanos, Runnable action);
}
