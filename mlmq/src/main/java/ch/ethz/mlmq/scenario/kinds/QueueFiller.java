package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import java.util.Set;

/** Sends messages into random public queues, for any receiver, one after the other or in batches. */
public final class QueueFiller implements Behaviour {
    /** Sends messages into public queues, usually at a constant rate. */
    public static final Scenario PRODUCER = scenario("PublicQueueProducer",
            "sends messages without a receiver to public queues");
    /** The counterpart of Rick. */
    public static final Scenario CARL = scenario("Carl",
            "sends requests to public queues and expects no response");

    private final BatchSends sends;

    private QueueFiller(ClientContext context) {
        this.sends = new BatchSends(context);
    }

    @Override
    public Request next() {
        return sends.next();
    }

    private static Scenario scenario(String name, String description) {
        return new Scenario(name, description, Set.of(Need.REGISTRATION, Need.QUEUES), QueueFiller::new)
                .using(settings -> Set.of(BatchSends.operation(settings)));
    }
}
