package ch.ethz.mlmq.broker.execution;

import ch.ethz.mlmq.broker.io.Dispatcher;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.RequestQueue;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.broker.session.Departures;
import ch.ethz.mlmq.protocol.Message;
import java.util.List;

/** Passes requests to the workers through the request queue. */
public final class QueuedDispatcher implements Dispatcher {
    private final RequestQueue queue;
    private final Departures departures;

    /** @param queue of requests for the workers */
    public QueuedDispatcher(RequestQueue queue, Departures departures) {
        this.queue = queue;
        this.departures = departures;
    }

    @Override
    public void dispatch(List<Exchange> received, List<Exchange> refused, List<Exchange> answered) {
        queue.offer(received, refused);
        received.clear();
    }

    @Override
    public void hold(ClientConnection connection) {
        ClientConnection greediest = queue.hold(connection);
        if (greediest != null) {
            greediest.link().sendAway("it did not read its responses, and its waiting requests use more memory than "
                    + "those of others");
        }
    }

    @Override
    public void waitNoMore(ClientConnection connection) {
        departures.waitNoMore(connection);
    }

    @Override
    public void resume(ClientConnection connection) {
        queue.resume(connection);
    }

    @Override
    public void left(ClientConnection connection) {
        departures.left(connection);
        queue.resume(connection);
    }

    @Override
    public void cancel(Exchange exchange) {
        departures.cancel(exchange);
    }

    @Override
    public Unconfirmed leftBehind(ClientConnection connection, int request) {
        return departures.leftBehind(connection, request);
    }

    @Override
    public void requeue(List<Message> messages) {
        departures.requeue(messages);
    }

    @Override
    public void undeliverable(Exchange exchange) {
        departures.undeliverable(exchange);
    }
}
