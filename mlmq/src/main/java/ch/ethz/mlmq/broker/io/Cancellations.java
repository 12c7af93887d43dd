package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.broker.waiting.WaitingLine;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.FrameReader;

/**
 * Cancels retrievals: a cancelled request stops waiting, and messages that it took are requeued wherever its response
 * is. Used by one I/O thread.
 */
final class Cancellations {
    private final Dispatcher dispatcher;

    Cancellations(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** @return the response to the cancel */
    Response cancel(SocketLink link, int request) {
        Exchange open = link.open(request);
        if (open != null) {
            if (!open.isCancelled()) {
                dispatcher.cancel(open);
            }
            return Response.Done.INSTANCE;
        }
        Unconfirmed own = link.connection.session().unconfirmed();
        Unconfirmed asked = own.hasAsked(request) ? own : dispatcher.leftBehind(link.connection, request);
        if (asked == null) {
            return lost(request, "this connection did not send it, nor did a connection that its client lost here "
                    + "within 60 s");
        }
        Exchange sent = asked.takeBack(request);
        if (sent != null) {
            dispatcher.requeue(Unconfirmed.counted(sent.taken()));
        } else if (asked.isForgetful()) {
            return lost(request, "its connection has more unconfirmed deliveries than the broker stores");
        }
        return Response.Done.INSTANCE;
    }

    private static Response lost(int request, String why) {
        return new Response.Failure(Status.BROKER_ERROR,
                "messages of request " + request + " cannot be requeued: " + why);
    }

    /**
     * Called before the response is written: messages of a cancelled request, or of one too large for its client, are
     * requeued.
     */
    void settle(Exchange exchange) {
        SocketLink link = SocketLink.of(exchange);
        if (link.connection.session().unconfirmed() != null && exchange.takes()) {
            link.settled(exchange);
            if (exchange.isCancelled()) {
                replace(exchange, WaitingLine.nothing(exchange.request()));
            }
        }
        int payload = exchange.answerBytes() - FrameReader.LENGTH_BYTES;
        if (payload > link.answerMax()) {
            replace(exchange, new Response.Failure(Status.CONTENT_TOO_LONG, "the response of " + payload + " bytes is "
                    + "longer than the longest frame to this client, " + link.answerMax() + " bytes"));
        }
    }

    private void replace(Exchange exchange, Response answer) {
        dispatcher.requeue(exchange.taken());
        exchange.answer(answer);
        exchange.measureAnswer();
    }
}
