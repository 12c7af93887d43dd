package ch.ethz.mlmq.scenario.engine;

/** Runs actions at their times, by one clock. */
interface Timers {
    /** @return now [ns]; only differences are meaningful */
    long nanoTime();

    /**
     * @param dueNanos when to run it, by {@link #nanoTime}; at once if that is past
     * @param action   must be short, because it delays the others
     */
    void at(long dueNanos, Runnable action);
}
