package ch.ethz.mlmq.driver.jms;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.link.Driver;
import ch.ethz.mlmq.scenario.link.DriverAddress;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.link.ThreadedLinks;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
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
                DriverKeys.DELIVERY, DriverKeys.TAKE, DriverKeys.PREFETCH,
                DriverKeys.ACKNOWLEDGE, DriverKeys.SESSIONS);
    }

    @Override
    public void check(Settings settings, Scenario scenario) {
        DriverAddress.of(settings, PORTS);
        if (settings.get(DriverKeys.TAKE) == Take.GET && settings.get(DriverKeys.PREFETCH) > 0) {
            throw new ConfigurationException(DriverKeys.PREFETCH.name() + " needs " + DriverKeys.TAKE.name()
                    + "=consume: the server pushes no messages to clients that request each one");
        }
        checkAcknowledge(settings, scenario);
    }

    /** Sessions that acknowledge all that they have received are no use where a message may wait for its request. */
    private static void checkAcknowledge(Settings settings, Scenario scenario) {
        Acknowledge.require(settings, "ActiveMQ has no take without an acknowledgement; choose each, batch or "
                + "transacted", Acknowledge.EACH, Acknowledge.BATCH, Acknowledge.TRANSACTED);
        Set<FrameType> used = scenario.operations().apply(settings);
        if (used.contains(FrameType.SUBSCRIBE) || used.contains(FrameType.SEND_RESPONSE_TO_CLIENT)) {
            Acknowledge.require(settings, "a session of " + scenario.name() + " has messages that wait for their "
                    + "requests, so each is acknowledged by itself; choose each", Acknowledge.EACH);
        }
    }

    @Override
    public LinkFactory links(Settings settings) {
        return new ThreadedLinks(new JmsSource(DriverAddress.of(settings, PORTS), settings), settings);
    }
}
