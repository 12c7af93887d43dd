package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.Scenario.Need;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/** Takes a message out of a random queue and puts it into another. */
public final class Mover implements Behaviour {
    public static final Scenario SCENARIO = new Scenario("Mover", "moves messages from queue to queue",
            Set.of(Need.REGISTRATION, Need.QUEUES), Mover::new);

    private final ClientContext context;
    private final Deque<Integer> toSend = new ArrayDeque<>();

    Mover(ClientContext context) {
        this.context = context;
    }

    @Override
    public Request next() {
        return toSend.isEmpty() ? new Request.DequeueMessage(MessageQuery.queue(context.queue()))
                : new Request.SendMessage(new int[] {context.queue()}, 0, toSend.poll(), 0, "",
                        context.messages().next());
    }

    @Override
    public void answered(Request request, Response response) {
        if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            toSend.add(delivery.message().priority());
        }
    }
}
