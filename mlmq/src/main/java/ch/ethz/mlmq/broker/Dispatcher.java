package ch.ethz.mlmq.broker;

import java.util.List;

/** What an I/O thread does with the requests it has read, and what it tells of its connections. */
sealed interface Dispatcher permits QueuedDispatcher, InlineDispatcher {
    /**
     * Takes the requests of a round.
     *
     * @param refused  gets those there is no room for
     * @param answered gets those that were executed at once
     */
    void dispatch(List<Exchange> received, List<Exchange> refused, List<Exchange> answered);

    /** The connection has caught up with its answers. */
    void resume(ClientConnection connection);

    /** The connection is gone. */
    void left(ClientConnection connection);

    /** The answer cannot be given: no byte of it was written, and the connection is gone. */
    void undeliverable(Exchange exchange);
}
