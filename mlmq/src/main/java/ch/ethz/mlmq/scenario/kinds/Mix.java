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
import ch.ethz.mlmq.scenario.workload.OperationMix;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;

/** Sends, peeks, queries, dequeues, receives and echoes, each as often as {@code client.mix} says. */
public final class Mix implements Behaviour {
    /** The scenario of this client. */
    public static final Scenario SCENARIO = new Scenario("Mix",
            "sends, peeks, queries, dequeues, receives and echoes by the weights of client.mix",
            Set.of(Need.REGISTRATION, Need.QUEUES), Mix::new)
            .using(Mix::operations);

    /** The same mix without a broker. */
    public static final Scenario DATABASE_ONLY = new Scenario("DatabaseOnly",
            "executes the same mix in PostgreSQL by JDBC, without a broker; each client has a connection",
            Set.of(Need.QUEUES, Need.DATABASE_ONLY), Mix::new);

    private static final int PENDING_QUEUES = 100;
    private static final int LEASE_MILLIS = 30_000;

    private final ClientContext context;
    private final OperationMix mix;
    private final BatchSends sends;
    private final Deque<Request.Acknowledge> toAcknowledge = new ArrayDeque<>();

    Mix(ClientContext context) {
        this.context = context;
        this.mix = context.settings().get(ClientKeys.MIX);
        this.sends = new BatchSends(context);
    }

    private static Set<FrameType> operations(Settings settings) {
        Set<FrameType> frames = EnumSet.copyOf(settings.get(ClientKeys.MIX).frames());
        if (frames.remove(FrameType.SEND_MESSAGE)) {
            frames.add(BatchSends.operation(settings));
        }
        if (frames.remove(FrameType.DEQUEUE_MESSAGE)) {
            frames.add(QueueTaker.operation(settings));
        }
        return frames;
    }

    @Override
    public Request next() {
        Request.Acknowledge acknowledge = toAcknowledge.poll();
        return acknowledge != null ? acknowledge : drawn();
    }

    private Request drawn() {
        return switch (mix.next(context.random())) {
            case SEND -> sends.next();
            case PEEK -> new Request.PeekMessage(MessageQuery.queue(context.queue()));
            case QUERY -> new Request.QueuesWithPendingMessages(PENDING_QUEUES, false);
            case DEQUEUE -> QueueTaker.take(MessageQuery.queue(context.queue()),
                    context.settings().get(ClientKeys.BATCH_TAKE));
            case RECEIVE -> new Request.ReceiveMessage(MessageQuery.queue(context.queue()), LEASE_MILLIS);
            case ECHO -> new Request.Echo(context.messages().next());
        };
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            Message message = delivery.message();
            if (request instanceof Request.ReceiveMessage) {
                toAcknowledge.add(new Request.Acknowledge(message.id(), message.leaseToken()));
            }
            Received.check(context, message);
        } else if (response instanceof Response.Deliveries deliveries) {
            for (Message message : deliveries.messages()) {
                Received.check(context, message);
            }
        } else if (request instanceof Request.Echo echo) {
            Received.echo(echo, (Response.Echoed) response);
        }
    }
}
