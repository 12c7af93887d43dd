package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import java.util.Set;

/** Dequeues one message after the other from random public queues, by priority or by age. */
public final class QueueTaker implements Behaviour {
    /** Dequeues from public queues, usually at a constant rate. */
    public static final Scenario CONSUMER = scenario("PublicQueueConsumer",
            "dequeues messages of public queues, highest priority first", MessageQuery.Order.PRIORITY);
    /** The counterpart of Alice. */
    public static final Scenario BOB = scenario("Bob",
            "dequeues the message of the highest priority of a random queue",
            MessageQuery.Order.PRIORITY);
    /** The counterpart of Carl: first in, first out. */
    public static final Scenario RICK = scenario("Rick",
            "dequeues requests of public queues, oldest first, and sends no response",
            MessageQuery.Order.TIME);

    private final ClientContext context;
    private final MessageQuery query;

    private QueueTaker(ClientContext context, MessageQuery.Order order) {
        this.context = context;
        this.query = order == MessageQuery.Order.TIME ? MessageQuery.any().oldestFirst() : MessageQuery.any();
    }

    @Override
    public Request next() {
        return new Request.DequeueMessage(query.inQueue(context.queue()));
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            Received.check(context, delivery.message());
        }
    }

    private static Scenario scenario(String name, String description, MessageQuery.Order order) {
        return new Scenario(name, description, Set.of(Need.REGISTRATION, Need.QUEUES),
                context -> new QueueTaker(context, order)).using(FrameType.DEQUEUE_MESSAGE);
    }
}
