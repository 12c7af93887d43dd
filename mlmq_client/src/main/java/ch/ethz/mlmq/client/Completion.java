package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;

/**
 * Told how a request ended, once, on the loop's thread. Must not block; may submit the next request. One instance may
 * serve any number of requests, so that a load generator allocates none.
 */
@FunctionalInterface
public interface Completion {
    /**
     * @param tag       the caller's own, as given with the request
     * @param status    {@link Status#OK} or why not
     * @param response  the answer; a {@link Response.Failure} where the broker refused; null where none came
     * @param sentNanos when the request was written for sending [ns, {@link System#nanoTime}]
     * @param endNanos  when the answer was read, or was given up [ns, likewise]
     */
    void completed(long tag, Status status, Response response, long sentNanos, long endNanos);
}
