package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.protocol.Message;
import java.util.List;

/** Executes or forwards the requests that an I/O thread reads, and learns what happens to its connections. */
public interface Dispatcher {
    /**
     * Takes requests of a round.
     *
     * @param received loses the taken requests from its front; pass the rest again once these have responses
     * @param refused  gets requests that found no room, with a response that names the limit
     * @param answered gets requests that were executed at once
     */
    void dispatch(List<Exchange> received, List<Exchange> refused, List<Exchange> answered);

    /** Holds the requests of a connection that does not read its responses, so that they take no room from others. */
    void hold(ClientConnection connection);

    /** Resumes a connection that has caught up with its responses. */
    void resume(ClientConnection connection);

    /** Ends the waiting of all requests of a connection that is about to leave. */
    void waitNoMore(ClientConnection connection);

    /** Clears up after a connection that was closed. */
    void left(ClientConnection connection);

    /** Cancels a request: its client no longer waits for the response. */
    void cancel(Exchange exchange);

    /** @return deliveries of the same client's earlier connection that sent the request, or null */
    Unconfirmed leftBehind(ClientConnection connection, int request);

    /** Requeues messages that were taken and not delivered. */
    void requeue(List<Message> messages);

    /** Handles a response that cannot be delivered: none of its bytes was written, and the connection is closed. */
    void undeliverable(Exchange exchange);
}
