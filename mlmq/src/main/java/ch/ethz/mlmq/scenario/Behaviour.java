package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;

/**
 * The behaviour of one client of a load: it decides the next request from the responses so far.
 *
 * <p>It has no notion of connections or recording: the engine asks for a request when one may start, executes and
 * times it, and hands the response back. Two threads never call it at once.
 */
public interface Behaviour {

    /** @return the request to execute next */
    Request next();

    /**
     * Takes the response to an executed request.
     *
     * @throws UnexpectedAnswerException if the response is not the expected one; it is counted as an error
     */
    default void answered(Request request, Response response) throws UnexpectedAnswerException {
        // Most requests need no reaction.
    }

    /**
     * Tells for how long the client works before its next request, in addition to a think time of the load. Asked once
     * after each response or failure.
     *
     * @return [ns], at least 0
     */
    default long workNanos() {
        return 0;
    }

    /** @return the number of requests that the client has in flight, if the load does not allow more */
    default int requestsAtOnce() {
        return 1;
    }

    /** Takes the failure of a request, which may have been executed; the engine has already counted it. */
    default void failed(Request request, Status status) {
        // The default does not repeat the request.
    }
}
