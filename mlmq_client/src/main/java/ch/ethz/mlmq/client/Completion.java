package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;

/**
 * Is called once when a request has ended, on the loop's thread. It must not block; it may submit the next request. One
 * instance may serve any number of requests, so that a load generator allocates none.
 */
@FunctionalInterface
public interface Completion {
    /**
     * @param tag       the caller's own, as given with the request
     * @param status    {@link Status#OK} or the reason of the failure
     * @param response  the response; a {@link Response.Failure} if the broker refused; null if none came
     * @param sentNanos when the request was written for sending [ns, {@link System#nanoTime}]
     * @param endNanos  when the response was read, or the request was given up [ns, likewise]
     */
    void completed(long tag, Status status, Response response, long sentNanos, long endNanos);
}
