package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import java.util.Set;

/** Puts message after message into public queues, for anybody. */
public final class PublicQueueProducer implements Behaviour {
    /** How the scenario is found. */
    public static final Scenario SCENARIO = new Scenario("PublicQueueProducer",
            "puts messages into public queues, for anybody", Set.of(Need.REGISTRATION, Need.QUEUES),
            PublicQueueProducer::new);

    private final ClientContext context;

    PublicQueueProducer(ClientContext context) {
        this.context = context;
    }

    @Override
    public Request next() {
        return new Request.SendMessage(new int[] {context.queue()}, 0, context.priority(), 0, "",
                context.messages().next());
    }
}
