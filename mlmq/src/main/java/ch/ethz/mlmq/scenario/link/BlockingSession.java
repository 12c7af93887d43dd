package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;

/** One client's connection to a system whose library blocks until each response. Used by one thread. */
public interface BlockingSession {

    /** @throws Exception see {@link Source#failure} */
    Response execute(Request request) throws Exception;

    /** Breaks the connection from another thread, so that waits on it end. */
    void abort();

    /** Ends the connection. */
    void close() throws Exception;

    /** Opens sessions, and translates their exceptions. */
    interface Source {
        BlockingSession connect(ClientId id) throws Exception;

        /**
         * @return TIMEOUT, CONNECTION_LOST if the session is unusable, or a status of a response such as BROKER_ERROR
         */
        Failure failure(Exception e);

        /** @return true if sessions can echo bytes */
        default boolean echoes() {
            return false;
        }

        /** @return the target of the sessions, for people */
        String target();
    }

    /**
     * The failure of a request.
     *
     * @param status not OK
     * @param text   one line for people
     */
    record Failure(Status status, String text) {
    }
}
