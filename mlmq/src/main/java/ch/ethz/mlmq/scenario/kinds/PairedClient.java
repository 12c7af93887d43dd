package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Pairs;
import ch.ethz.mlmq.scenario.Positions;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Half of a pair. The first of both sends a request to the other and asks for the response by the request's context;
 * the second takes requests out of its own queue and responds to each.
 */
public final class PairedClient {
    /** The scenario of both clients. */
    public static final Scenario SCENARIO = new Scenario("PairedClient",
            "sends requests and responses within pairs of clients; a context ties a response to its request",
            Set.of(Need.REGISTRATION, Need.PARTNER, Need.COUNTER, Need.TURNS), PairedClient::behaviour)
            .using(FrameType.SEND_REQUEST_TO_CLIENT, FrameType.SEND_RESPONSE_TO_CLIENT, FrameType.DEQUEUE_MESSAGE);

    private PairedClient() {
    }

    private static Behaviour behaviour(ClientContext context) {
        boolean first = Pairs.isFirst(context.id(), Positions.of(SCENARIO.name(), context.settings()));
        return first ? new Requester(context) : new Responder(context);
    }

    /** Sends a request, waits for its response, and repeats. */
    private static final class Requester implements Behaviour {
        private final ClientContext context;
        private final PartnerWatch partner;
        private long awaited;
        private int counter;

        private Requester(ClientContext context) {
            this.context = context;
            this.partner = new PartnerWatch(context);
        }

        @Override
        public Request next() {
            if (awaited != 0 && partner.isLost()) {
                awaited = 0;
            }
            return awaited != 0 ? new Request.DequeueMessage(MessageQuery.response(awaited))
                    : new Request.SendRequestToClient(context.around().partner(), context.priority(),
                            context.messages().next(++counter));
        }

        @Override
        public void answered(Request request, Response response) throws UnexpectedAnswerException {
            if (response instanceof Response.ContextAssigned assigned) {
                awaited = assigned.context();
                partner.expected();
            } else if (response instanceof Response.Delivery delivery && delivery.message() != null) {
                responded(((Request.DequeueMessage) request).query().context(), delivery.message());
            }
        }

        private void responded(long context, Message message) throws UnexpectedAnswerException {
            LoadMessage content = Received.by(this.context, message);
            partner.heard();
            if (context == awaited) {
                awaited = 0;
            }
            if (message.context() != context || message.sender() != this.context.around().partner()
                    || content.counter() > counter) {
                throw new UnexpectedAnswerException("WRONG_CONTEXT", this.context.id().name() + " queried context "
                        + context + " and got context " + message.context() + " of client " + message.sender());
            }
        }
    }

    /** Takes a request, and responds with the request's context and counter. */
    private static final class Responder implements Behaviour {
        private final ClientContext context;
        private final PartnerWatch partner;
        private final Deque<Request.SendResponseToClient> toSend = new ArrayDeque<>();

        private Responder(ClientContext context) {
            this.context = context;
            this.partner = new PartnerWatch(context);
            partner.expected();
        }

        @Override
        public Request next() {
            partner.isLost();
            return toSend.isEmpty() ? new Request.DequeueMessage(MessageQuery.queue(context.around().ownQueue()))
                    : toSend.poll();
        }

        @Override
        public void answered(Request request, Response response) throws UnexpectedAnswerException {
            if (response instanceof Response.Delivery delivery && delivery.message() != null) {
                Message message = delivery.message();
                int counter = Received.by(context, message).counter();
                partner.heard();
                partner.expected();
                if (message.sender() != context.around().partner()) {
                    throw new UnexpectedAnswerException("WRONG_PARTNER", context.id().name()
                            + " got a request of client " + message.sender() + ", which is not its partner");
                }
                toSend.add(new Request.SendResponseToClient(message.sender(), message.context(), message.priority(),
                        context.messages().next(counter)));
            }
        }

        @Override
        public void failed(Request request, Status status) {
            if (request instanceof Request.SendResponseToClient response && Received.surelyNotExecuted(status)) {
                toSend.add(response);
            }
        }
    }
}
