package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.scenario.Scenario;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A protocol of load clients to a system under test. {@link Drivers} finds it on the class path by its name. */
public interface Driver {
    /** The operations of every kind of queue: sends, takes, and leases. */
    Set<FrameType> QUEUE_OPERATIONS = Set.copyOf(EnumSet.of(FrameType.SEND_MESSAGE, FrameType.SEND_MESSAGES,
            FrameType.SEND_MESSAGE_TO_CLIENT, FrameType.SEND_REQUEST_TO_CLIENT, FrameType.SEND_RESPONSE_TO_CLIENT,
            FrameType.DEQUEUE_MESSAGE, FrameType.DEQUEUE_MESSAGES, FrameType.RECEIVE_MESSAGE, FrameType.ACKNOWLEDGE,
            FrameType.RECEIVE_MESSAGES, FrameType.ACKNOWLEDGE_MESSAGES));

    /** Publishing to topics and subscribing, in addition to {@link #QUEUE_OPERATIONS}. */
    Set<FrameType> TOPIC_OPERATIONS = Set.copyOf(EnumSet.of(FrameType.PUBLISH, FrameType.SUBSCRIBE));

    /** @return its name in {@code client.driver} */
    String name();

    /** @return the operations that it can execute as a load */
    Set<FrameType> operations();

    /** @return the keys of {@link ch.ethz.mlmq.scenario.settings.DriverKeys} that it uses */
    List<Key<?>> keys();

    /** @return keys of this driver only; their names begin with {@code client.driver.} */
    default List<Key<?>> ownKeys() {
        return List.of();
    }

    /**
     * @param  scenario               of the clients
     * @throws ConfigurationException if the settings cannot work, such as an address of another system
     */
    void check(Settings settings, Scenario scenario);

    /**
     * @param settings that were checked
     * @return a factory of links for the clients of a JVM; none is connected yet
     */
    LinkFactory links(Settings settings);
}
