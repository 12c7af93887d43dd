package ch.ethz.mlmq.driver.jms;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.scenario.link.Driver;
import ch.ethz.mlmq.scenario.link.DriverAddress;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.link.ThreadedLinks;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Take;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Connects load clients to ActiveMQ by JMS. */
public final class JmsDriver implements Driver {
    private static final Map<String, Integer> PORTS = Map.of("tcp", 61616, "ssl", 61617);

    @Override
    public String name() {
        return "jms";
    }

    @Override
    public Set<FrameType> operations() {
        return Stream.concat(QUEUE_OPERATIONS.stream(), TOPIC_OPERATIONS.stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(DriverKeys.DRIVER, DriverKeys.ADDRESS, DriverKeys.PREFIX, DriverKeys.PRIORITIES,
                DriverKeys.DELIVERY, DriverKeys.TAKE, DriverKeys.PREFETCH);
    }

    @Override
    public void check(Settings settings) {
        DriverAddress.of(settings, PORTS);
        if (settings.get(DriverKeys.TAKE) == Take.GET && settings.get(DriverKeys.PREFETCH) > 0) {
            throw new ConfigurationException(DriverKeys.PREFETCH.name() + " needs " + DriverKeys.TAKE.name()
                    + "=consume: the server pushes no messages to clients that request each one");
        }
    }

    @Override
    public LinkFactory links(Settings settings) {
        return new ThreadedLinks(new JmsSource(DriverAddress.of(settings, PORTS), settings), settings);
    }
}
