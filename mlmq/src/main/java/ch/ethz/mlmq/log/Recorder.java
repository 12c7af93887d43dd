package ch.ethz.mlmq.log;

/** Takes measurements. Never blocks and never fails. */
public interface Recorder {
    /** A record without the time of service: response and service time are the same. */
    long NO_SERVICE_TIME = -1;

    /**
     * @return what stands in place of the time of service where the request was executed together with others: one
     *     number holds both, so that a record is no longer for it
     * @param requests in the batch, itself included
     */
    static long inBatchOf(int requests) {
        return NO_SERVICE_TIME - requests;
    }

    /** Records nothing. */
    Recorder NONE = (action, startNanos, endNanos, clients, serviceNanos) -> { };

    /**
     * @param action       what was measured
     * @param startNanos   when it began, or for open load was to begin ({@link System#nanoTime} [ns])
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
