package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import ch.ethz.mlmq.scenario.workload.ForeignMessageException;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * A client (Tola) and its server (Maruja) over one queue of their own: the n-th Tola with the n-th Maruja. Requests are
 * for any receiver, responses for Tola only; the context is the id of the request's message.
 */
public final class TolaMaruja {
    private static final Set<Need> NEEDS = Set.of(Need.REGISTRATION, Need.PAIR_QUEUE, Need.TURNS);

    /** The client. */
    public static final Scenario TOLA = new Scenario("Tola",
            "sends a request to the queue that it shares with its Maruja, and dequeues the response from there", NEEDS,
            Client::new).using(FrameType.SEND_MESSAGE, FrameType.DEQUEUE_MESSAGE);
    /** The server. */
    public static final Scenario MARUJA = new Scenario("Maruja",
            "dequeues requests of the queue that it shares with its Tola, and responds there", NEEDS, Server::new)
            .using(FrameType.SEND_MESSAGE, FrameType.DEQUEUE_MESSAGE);

    private TolaMaruja() {
    }

    /** The behaviour of Tola. */
    private static final class Client implements Behaviour {
        private final ClientContext context;
        private final PartnerWatch partner;
        private long awaited;

        private Client(ClientContext context) {
            this.context = context;
            this.partner = new PartnerWatch(context);
        }

        @Override
        public Request next() {
            if (awaited != 0 && partner.isLost()) {
                awaited = 0;
            }
            int queue = context.around().pairQueue();
            if (awaited != 0) {
                return new Request.DequeueMessage(
                        MessageQuery.queue(queue).withContext(awaited).addressedToMe());
            }
            byte[] content = context.messages().next();
            return new Request.SendMessage(new int[] {queue}, 0, context.priority(), contextOf(content), "", content);
        }

        @Override
        public void answered(Request request, Response response) throws UnexpectedAnswerException {
            if (request instanceof Request.SendMessage send) {
                awaited = send.context();
                partner.expected();
            } else if (response instanceof Response.Delivery delivery && delivery.message() != null) {
                long asked = ((Request.DequeueMessage) request).query().context();
                partner.heard();
                awaited = asked == awaited ? 0 : awaited;
                Received.by(context, delivery.message());
                if (delivery.message().context() != asked) {
                    throw new UnexpectedAnswerException("WRONG_CONTEXT", context.id().name()
                            + " queried context " + asked + " and got context " + delivery.message().context());
                }
            }
        }

        /** @return the id of a message plus one, as 0 means no context */
        private static long contextOf(byte[] content) {
            try {
                return LoadMessage.decode(content).id().bits() + 1;
            } catch (ForeignMessageException e) {
                throw new IllegalStateException("a message made here is none", e);
            }
        }
    }

    /** The behaviour of Maruja. */
    private static final class Server implements Behaviour {
        private final ClientContext context;
        private final Deque<Request.SendMessage> toSend = new ArrayDeque<>();

        private Server(ClientContext context) {
            this.context = context;
        }

        @Override
        public Request next() {
            return toSend.isEmpty() ? new Request.DequeueMessage(MessageQuery.queue(context.around().pairQueue()))
                    : toSend.poll();
        }

        @Override
        public void answered(Request request, Response response) throws UnexpectedAnswerException {
            if (response instanceof Response.Delivery delivery && delivery.message() != null) {
                Message message = delivery.message();
                Received.by(context, message);
                toSend.add(new Request.SendMessage(new int[] {message.queue()}, message.sender(), message.priority(),
                        message.context(), "", context.messages().next()));
            }
        }

        @Override
        public void failed(Request request, Status status) {
            if (request instanceof Request.SendMessage response && Received.surelyNotExecuted(status)) {
                toSend.add(response);
            }
        }
    }
}
