package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Sends one message to a random other client, then polls its own queue. It sends each received message on to a random
 * client, with the counter increased by one. So a run has as many messages in flight as clients.
 */
public final class OneWayClient implements Behaviour {
    /** The scenario of this client. */
    public static final Scenario SCENARIO = new Scenario("OneWayClient",
            "sends a message to another client, which sends it on to another, and so on",
            Set.of(Need.REGISTRATION, Need.PEERS, Need.COUNTER), OneWayClient::new)
            .using(FrameType.SEND_MESSAGE_TO_CLIENT, FrameType.DEQUEUE_MESSAGE);

    private final ClientContext context;
    private final Deque<byte[]> toSend = new ArrayDeque<>();

    OneWayClient(ClientContext context) {
        this.context = context;
        toSend.add(context.messages().next(0));
    }

    @Override
    public Request next() {
        byte[] content = toSend.poll();
        return content == null ? new Request.DequeueMessage(MessageQuery.queue(context.around().ownQueue()))
                : new Request.SendMessageToClient(context.peer(), context.priority(), content);
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            int hops = Received.by(context, delivery.message()).counter();
            toSend.add(context.messages().next(hops + 1));
        }
    }

    /**
     * Repeats messages that were certainly not stored. One that may have been stored is not repeated, as a duplicate
     * would add a message to the run.
     */
    @Override
    public void failed(Request request, Status status) {
        if (request instanceof Request.SendMessageToClient send && Received.surelyNotExecuted(status)) {
            toSend.add(send.content());
        }
    }
}
