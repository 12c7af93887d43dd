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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Executes a single operation, for micro-benchmarks: {@code Only#sendMessage} and so on. */
public final class Only implements Behaviour {
    private static final int BULK = 100;
    private static final int PENDING_QUEUES = 100;

    private final ClientContext context;
    private final Function<ClientContext, Request> operation;

    private Only(ClientContext context, Function<ClientContext, Request> operation) {
        this.context = context;
        this.operation = operation;
    }

    /** @return one scenario for each operation that can be run alone */
    public static List<Scenario> scenarios() {
        List<Scenario> scenarios = new ArrayList<>();
        scenarios.add(only(FrameType.SEND_MESSAGE, context -> new Request.SendMessage(new int[] {context.queue()}, 0,
                context.priority(), 0, "", context.messages().next())));
        scenarios.add(only(FrameType.SEND_MESSAGES, context -> new Request.SendMessages(
                BatchSends.batch(context, context.queue(), BULK))));
        scenarios.add(only(FrameType.SEND_MESSAGE_TO_CLIENT, context -> new Request.SendMessageToClient(
                context.around().id(), context.priority(), context.messages().next())));
        scenarios.add(only(FrameType.SEND_REQUEST_TO_CLIENT, context -> new Request.SendRequestToClient(
                context.around().id(), context.priority(), context.messages().next())));
        scenarios.add(only(FrameType.PEEK_MESSAGE, context -> new Request.PeekMessage(query(context))));
        scenarios.add(only(FrameType.DEQUEUE_MESSAGE, context -> new Request.DequeueMessage(query(context))));
        scenarios.add(only(FrameType.DEQUEUE_MESSAGES, context -> new Request.DequeueMessages(query(context), BULK)));
        scenarios.add(only(FrameType.QUEUES_WITH_PENDING_MESSAGES,
                context -> new Request.QueuesWithPendingMessages(PENDING_QUEUES, false)));
        scenarios.add(only(FrameType.LOOKUP_QUEUE, context -> new Request.LookupQueue("queue1")));
        scenarios.add(only(FrameType.LOOKUP_CLIENT, context -> new Request.LookupClient(context.id().name())));
        scenarios.add(only(FrameType.LOOKUP_CLIENT_QUEUE,
                context -> new Request.LookupClientQueue(context.around().id(), "")));
        scenarios.add(only(FrameType.ECHO, context -> new Request.Echo(context.messages().next())));
        return List.copyOf(scenarios);
    }

    @Override
    public Request next() {
        return operation.apply(context);
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            Received.check(context, delivery.message());
        } else if (response instanceof Response.Deliveries deliveries) {
            for (var message : deliveries.messages()) {
                Received.check(context, message);
            }
        } else if (request instanceof Request.Echo echo) {
            Received.echo(echo, (Response.Echoed) response);
        }
    }

    private static Scenario only(FrameType type, Function<ClientContext, Request> operation) {
        return new Scenario("Only#" + type.label(), "does nothing but " + type.label(),
                Set.of(Need.REGISTRATION, Need.QUEUES), context -> new Only(context, operation)).using(type);
    }

    private static MessageQuery query(ClientContext context) {
        return MessageQuery.queue(context.queue());
    }
}
