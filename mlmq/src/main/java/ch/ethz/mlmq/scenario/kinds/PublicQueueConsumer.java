package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import java.util.Set;

/** Takes message after message out of public queues. */
public final class PublicQueueConsumer implements Behaviour {
    /** How the scenario is found. */
    public static final Scenario SCENARIO = new Scenario("PublicQueueConsumer", "takes messages out of public queues",
            Set.of(Need.REGISTRATION, Need.QUEUES), PublicQueueConsumer::new);

    private final ClientContext context;

    PublicQueueConsumer(ClientContext context) {
        this.context = context;
    }

    @Override
    public Request next() {
        return new Request.DequeueMessage(MessageQuery.queue(context.queue()));
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            Received.by(context, delivery.message());
        }
    }
}
