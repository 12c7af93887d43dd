package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.link.Driver;
import ch.ethz.mlmq.scenario.link.DriverAddress;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Delivery;
import ch.ethz.mlmq.scenario.settings.DriverKeys.QueueKind;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Take;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Connects load clients to RabbitMQ by AMQP 0-9-1. */
public final class AmqpDriver implements Driver {
    private static final Map<String, Integer> PORTS = Map.of("amqp", 5672, "amqps", 5671);

    @Override
    public String name() {
        return "amqp";
    }

    @Override
    public Set<FrameType> operations() {
        return Stream.concat(QUEUE_OPERATIONS.stream(), TOPIC_OPERATIONS.stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(DriverKeys.DRIVER, DriverKeys.ADDRESS, DriverKeys.PREFIX, DriverKeys.PRIORITIES,
                DriverKeys.QUEUE, DriverKeys.DELIVERY, DriverKeys.TAKE, DriverKeys.PREFETCH, DriverKeys.ACKNOWLEDGE);
    }

    @Override
    public void check(Settings settings, Scenario scenario) {
        List<DriverAddress> addresses = DriverAddress.of(settings, PORTS);
        DriverAddress first = addresses.get(0);
        require(addresses.stream().allMatch(address -> address.scheme().equals(first.scheme())
                && address.user().equals(first.user()) && address.path().equals(first.path())),
                DriverKeys.ADDRESS.name() + ": all nodes of a cluster need the same scheme, user and virtual host");
        require(addresses.stream().allMatch(address -> address.query().isEmpty()),
                DriverKeys.ADDRESS.name() + ": an address of amqp must not have a question mark");
        require(settings.get(DriverKeys.QUEUE) == QueueKind.CLASSIC || !settings.get(DriverKeys.PRIORITIES),
                DriverKeys.PRIORITIES.name() + "=true: quorum queues do not have ten priorities");
        require(settings.get(DriverKeys.QUEUE) == QueueKind.CLASSIC
                || settings.get(DriverKeys.DELIVERY) == Delivery.PERSISTENT, DriverKeys.DELIVERY.name()
                + "=transient: quorum queues keep all messages on disk");
        require(settings.get(DriverKeys.TAKE) == Take.CONSUME || settings.get(DriverKeys.PREFETCH) == 0,
                DriverKeys.PREFETCH.name() + " needs " + DriverKeys.TAKE.name()
                        + "=consume: the server pushes no messages to clients that request each one");
        checkAcknowledge(settings, scenario);
        require(Exchanges.have(settings.get(TopicKeys.FILTER).kind()), TopicKeys.FILTER.name()
                + "=range: no exchange of RabbitMQ compares a property with bounds; choose another filter");
    }

    private static void checkAcknowledge(Settings settings, Scenario scenario) {
        if (settings.get(DriverKeys.TAKE) == Take.CONSUME) {
            Acknowledge.require(settings, "the server would push without a limit, or wait for a commit between two "
                    + "pushes; choose each or batch with " + DriverKeys.TAKE.name() + "=consume", Acknowledge.EACH,
                    Acknowledge.BATCH);
        }
        if (settings.get(DriverKeys.QUEUE) == QueueKind.QUORUM) {
            Acknowledge.require(settings, "only transactions on classic queues are tested; choose each, batch or none",
                    Acknowledge.EACH, Acknowledge.BATCH, Acknowledge.NONE);
        }
        Set<FrameType> used = scenario.operations().apply(settings);
        if (used.contains(FrameType.ACKNOWLEDGE) || used.contains(FrameType.ACKNOWLEDGE_MESSAGES)
                || used.contains(FrameType.SEND_RESPONSE_TO_CLIENT)) {
            Acknowledge.require(settings, "a channel of " + scenario.name() + " has messages that wait for their "
                    + "requests, so no commit ends a take; choose each or batch", Acknowledge.EACH, Acknowledge.BATCH,
                    Acknowledge.NONE);
        }
    }

    @Override
    public LinkFactory links(Settings settings) {
        return new AmqpLinks(DriverAddress.of(settings, PORTS), settings);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new ConfigurationException(message);
        }
    }
}
