package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.util.Set;

/** Sends each message to {@code client.recipients} random queues at once, for any receiver. */
public final class Alice implements Behaviour {
    /** The scenario of this client. */
    public static final Scenario SCENARIO = new Scenario("Alice",
            "sends each message without a receiver to client.recipients random queues",
            Set.of(Need.REGISTRATION, Need.QUEUES),
            Alice::new).using(FrameType.SEND_MESSAGE);

    private final ClientContext context;
    private final int recipients;

    Alice(ClientContext context) {
        this.context = context;
        this.recipients = context.settings().get(ClientKeys.RECIPIENTS);
    }

    @Override
    public Request next() {
        return new Request.SendMessage(context.queues(recipients), 0, context.priority(), 0, "",
                context.messages().next());
    }
}
