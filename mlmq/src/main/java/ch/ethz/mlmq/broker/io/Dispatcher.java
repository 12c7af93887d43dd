package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.protocol.Message;
import java.util.List;

/** What an I/O thread does with the requests it has read, and what it tells of its connections. */
public interface Dispatcher {
    /**
     * Takes requests of a round.
     *
     * @param received loses those that were taken, from its front; the rest is to be handed over once these are
     *        answered
     * @param refused  gets those there is no room for, answered with which room that is
     * @param answered gets those that were executed at once
     */
    void dispatch(List<Exchange> received, List<Exchange> refused, List<Exchange> answered);

    /** The connection does not read its answers: what it has asked besides is to wait and to be in nobody's way. */
    void hold(ClientConnection connection);

    /** The connection has caught up with its answers. */
    void resume(ClientConnection connection);

    /** The connection is about to leave: none of its requests waits for a message any longer. */
    void waitNoMore(ClientConnection connection);

    /** The connection is gone. */
    void left(ClientConnection connection);

    /** Nobody waits for the answer to the request any more. */
    void cancel(Exchange exchange);

    /** @return what is kept of the earlier connection of the same client that sent the request, or null */
    Unconfirmed leftBehind(ClientConnection connection, int request);

    /** These messages were taken, and nobody got them. */
    void putBack(List<Message> messages);

    /** The answer cannot be given: no byte of it was written, and the connection is gone. */
    void undeliverable(Exchange exchange);
}
