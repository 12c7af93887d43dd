package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.util.Set;

/** Dequeues from random public queues, by priority or by age: one message, or up to {@code client.batch.take}. */
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
    private final int batch;

    private QueueTaker(ClientContext context, MessageQuery.Order order) {
        this.context = context;
        this.query = order == MessageQuery.Order.TIME ? MessageQuery.any().oldestFirst() : MessageQuery.any();
        this.batch = context.settings().get(ClientKeys.BATCH_TAKE);
    }

    @Override
    public Request next() {
        return take(query.inQueue(context.queue()), batch);
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            Received.check(context, delivery.message());
        } else if (response instanceof Response.Deliveries deliveries) {
            for (Message message : deliveries.messages()) {
                Received.check(context, message);
            }
        }
    }

    /** @return a request that takes one message, or up to as many at once */
    static Request take(MessageQuery query, int most) {
        return most == 1 ? new Request.DequeueMessage(query) : new Request.DequeueMessages(query, most);
    }

    static FrameType operation(Settings settings) {
        return settings.get(ClientKeys.BATCH_TAKE) == 1 ? FrameType.DEQUEUE_MESSAGE : FrameType.DEQUEUE_MESSAGES;
    }

    private static Scenario scenario(String name, String description, MessageQuery.Order order) {
        return new Scenario(name, description, Set.of(Need.REGISTRATION, Need.QUEUES),
                context -> new QueueTaker(context, order)).using(settings -> Set.of(operation(settings)));
    }
}
