package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What load clients speak to a system under test. {@link Drivers} finds it on the class path by its name. */
public interface Driver {
    /** What every queue has, whoever made it. */
    Set<FrameType> SEND_AND_TAKE = Set.copyOf(EnumSet.of(FrameType.SEND_MESSAGE, FrameType.SEND_MESSAGE_TO_CLIENT,
            FrameType.SEND_REQUEST_TO_CLIENT, FrameType.SEND_RESPONSE_TO_CLIENT, FrameType.DEQUEUE_MESSAGE));

    /** @return its value of {@code client.driver} */
    String name();

    /** @return the operations that it can execute as a load */
    Set<FrameType> operations();

    /** @return the keys of {@link ch.ethz.mlmq.scenario.settings.DriverKeys} that it heeds */
    List<Key<?>> keys();

    /** @return keys that it alone has, {@code client.driver.} before their names */
    default List<Key<?>> ownKeys() {
        return List.of();
    }

    /** @throws ConfigurationException where the settings cannot work, such as an address of another system */
    void check(Settings settings);

    /**
     * @param settings that were checked
     * @return where the clients of a JVM get their links; none is connected yet
     */
    LinkFactory links(Settings settings);
}
