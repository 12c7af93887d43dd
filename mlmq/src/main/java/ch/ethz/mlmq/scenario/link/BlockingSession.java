package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;

/** One client's connection to a system whose library waits for each answer. One thread uses it. */
public interface BlockingSession {

    /** @throws Exception see {@link Source#failure} */
    Response execute(Request request) throws Exception;

    /** Breaks the connection, by another thread, so that whoever waits on it waits no longer. */
    void abort();

    /** Ends the connection. */
    void close() throws Exception;

    /** Where sessions come from, and what their exceptions mean. */
    interface Source {
        BlockingSession connect(ClientId id) throws Exception;

        /**
         * @return TIMEOUT, CONNECTION_LOST after which the session is of no use, or an answer such as BROKER_ERROR
         */
        Failure failure(Exception e);

        /** @return whether sessions send bytes back */
        default boolean echoes() {
            return false;
        }

        /** @return where sessions lead, for people */
        String target();
    }

    /**
     * How a request ended.
     *
     * @param status not OK
     * @param text   one line for people
     */
    record Failure(Status status, String text) {
    }
}
