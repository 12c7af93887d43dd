package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import ch.ethz.mlmq.scenario.workload.TopicFilter;
import java.util.Set;

/** Publishes to the topics in turn. Of a topic's subscriptions {@code client.topic.matching} get each message. */
public final class Publisher implements Behaviour {
    /** The scenario of this client. */
    public static final Scenario SCENARIO = new Scenario("Publisher",
            "publishes messages that client.topic.matching subscriptions of a topic get",
            Set.of(Need.REGISTRATION, Need.TOPICS), Publisher::new).using(FrameType.PUBLISH);

    private final ClientContext context;
    private final MessageProperties properties;
    private final long messageContext;
    private int next;

    Publisher(ClientContext context) {
        this.context = context;
        TopicFilter filter = context.settings().get(TopicKeys.FILTER);
        this.properties = filter.properties();
        this.messageContext = filter.context();
        this.next = context.id().number();
    }

    @Override
    public Request next() {
        int[] topics = context.around().subscribed().topics();
        next = (next + 1) % topics.length;
        return new TopicRequest.Publish(topics[next], context.priority(), messageContext, "",
                context.messages().next(), properties);
    }
}
