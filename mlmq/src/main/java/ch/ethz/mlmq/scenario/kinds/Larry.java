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
 * Sends a message to a random queue for a random receiver. Then it asks which queues have messages addressed to it,
 * dequeues the one of highest priority from one of them, and sends it on.
 */
public final class Larry implements Behaviour {
    /** The scenario of this client. */
    public static final Scenario SCENARIO = new Scenario("Larry",
            "asks which queues have messages for it, dequeues one and sends it on to another client",
            Set.of(Need.REGISTRATION, Need.QUEUES, Need.PEERS, Need.COUNTER), Larry::new)
            .using(FrameType.SEND_MESSAGE, FrameType.DEQUEUE_MESSAGE, FrameType.QUEUES_WITH_PENDING_MESSAGES);

    private static final int PENDING_QUEUES = 100;

    private final ClientContext context;
    private final Deque<byte[]> toSend = new ArrayDeque<>();
    private final Deque<Integer> toVisit = new ArrayDeque<>();

    Larry(ClientContext context) {
        this.context = context;
        toSend.add(context.messages().next(0));
    }

    @Override
    public Request next() {
        if (!toSend.isEmpty()) {
            return new Request.SendMessage(new int[] {context.queue()}, context.peer(), context.priority(), 0, "",
                    toSend.poll());
        }
        return toVisit.isEmpty() ? new Request.QueuesWithPendingMessages(PENDING_QUEUES, true)
                : new Request.DequeueMessage(MessageQuery.queue(toVisit.poll()).addressedToMe());
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        if (response instanceof Response.PendingQueues pending && pending.queues().length > 0) {
            toVisit.add(pending.queues()[context.random().nextInt(pending.queues().length)]);
        } else if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            if (delivery.message().receiver() == 0) {
                throw new UnexpectedAnswerException("WRONG_RECEIVER", context.id().name()
                        + " queried messages with itself as receiver, and got one without a receiver");
            }
            toSend.add(context.messages().next(Received.by(context, delivery.message()).counter() + 1));
        }
    }

    /** Repeats messages that were certainly not stored. */
    @Override
    public void failed(Request request, Status status) {
        if (request instanceof Request.SendMessage send && Received.surelyNotExecuted(status)) {
            toSend.add(send.content());
        }
    }
}
