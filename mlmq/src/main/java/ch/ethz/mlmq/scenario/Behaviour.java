package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;

/**
 * What one client of a load does: which request comes next, given the answers so far.
 *
 * <p>It knows nothing of time, connections or recording: the engine asks for a request when one may start, executes and
 * times it, and hands the answer back. Never called by two threads at once.
 */
public interface Behaviour {

    /** @return the request to execute next */
    Request next();

    /**
     * The request was executed.
     *
     * @throws UnexpectedAnswerException where the answer is not what this client was owed; it is counted as an error
     */
    default void answered(Request request, Response response) throws UnexpectedAnswerException {
        // most requests need nothing done
    }

    /** The request failed, or nobody knows; it is counted already. */
    default void failed(Request request, Status status) {
        // the next request is not the same one again, unless the client says so
    }
}
