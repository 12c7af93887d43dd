package ch.ethz.mlmq.log;

/** Takes measurements. It never blocks and never fails. */
public interface Recorder {
    /** Marks a record without a service time: its response and service time are the same. */
    long NO_SERVICE_TIME = -1;

    /**
     * @return the number that replaces the service time of a request that was executed together with others, so that
     * records need no further field
     * @param requests number of requests in the batch, including this one
     */
    static long inBatchOf(int requests) {
        return NO_SERVICE_TIME - requests;
    }

    /** Records nothing. */
    Recorder NONE = (action, startNanos, endNanos, clients, serviceNanos) -> { };

    /**
     * @param action       what was measured
     * @param startNanos   when it began, or was due to begin in open load ({@link System#nanoTime} [ns])
     * @param endNanos     when it ended [ns]
     * @param clients      connected clients
     * @param serviceNanos time from the real start [ns], {@link #NO_SERVICE_TIME}, or {@link #inBatchOf}
     */
    void record(Action action, long startNanos, long endNanos, int clients, long serviceNanos);

    /** Records an action whose response and service time are the same. */
    default void record(Action action, long startNanos, long endNanos, int clients) {
        record(action, startNanos, endNanos, clients, NO_SERVICE_TIME);
    }
}
