package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import ch.ethz.mlmq.scenario.workload.TopicFilter;
import ch.ethz.mlmq.scenario.workload.TopicFilter.Kind;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The exchanges of topics, and the bindings of subscriptions to them. A fanout exchange gives each queue each message.
 * A direct one compares a routing key, which is the context or the property. A headers exchange compares properties
 * that a filter joins by and. Several values of one property are several bindings, of which a message follows one.
 */
final class Exchanges {
    private final String prefix;
    private final Numbering numbering;
    private final Kind kind;
    private final boolean quorum;

    Exchanges(Settings settings, Numbering numbering) {
        this.prefix = settings.get(DriverKeys.PREFIX) + ".";
        this.numbering = numbering;
        this.kind = settings.get(TopicKeys.FILTER).kind();
        this.quorum = settings.get(DriverKeys.QUEUE) == DriverKeys.QueueKind.QUORUM;
    }

    /** @return false if no exchange of RabbitMQ has filters of this kind */
    static boolean have(Kind kind) {
        return kind != Kind.RANGE;
    }

    String name(int topic) {
        return prefix + numbering.topicName(topic);
    }

    /** @return the key by which a direct exchange routes the message */
    String routingKey(TopicRequest.Publish message) {
        return switch (kind) {
            case CONTEXT -> key("$context", message.context());
            case PROPERTY, OR, IN -> key("id", message.properties().get("id"));
            case NONE, AND, AND_EARLY, RANGE -> "";
        };
    }

    void declare(Channel channel, int topic) throws IOException {
        channel.exchangeDeclare(name(topic), switch (kind) {
            case NONE -> BuiltinExchangeType.FANOUT;
            case CONTEXT, PROPERTY, OR, IN -> BuiltinExchangeType.DIRECT;
            case AND, AND_EARLY -> BuiltinExchangeType.HEADERS;
            case RANGE -> throw new IllegalArgumentException("RabbitMQ has no filters with bounds");
        }, true);
    }

    /** Makes or finds the queue of a subscription, and binds it. @return its name */
    String bind(Channel channel, TopicRequest.Subscribe subscribe) throws IOException {
        String exchange = name(subscribe.topic());
        String queue = exchange + "." + subscribe.name();
        boolean durable = subscribe.durable();
        channel.queueDeclare(queue, durable, !durable, !durable,
                Map.of("x-queue-type", durable && quorum ? "quorum" : "classic"));
        for (Map<String, Object> comparisons : TopicFilter.alternatives(subscribe.filter())) {
            bind(channel, queue, exchange, comparisons);
        }
        return queue;
    }

    private void bind(Channel channel, String queue, String exchange, Map<String, Object> comparisons)
            throws IOException {
        switch (kind) {
            case AND, AND_EARLY -> {
                Map<String, Object> headers = new HashMap<>(comparisons);
                headers.put("x-match", "all");
                channel.queueBind(queue, exchange, "", headers);
            }
            case NONE -> channel.queueBind(queue, exchange, "");
            default -> {
                Map.Entry<String, Object> only = comparisons.entrySet().iterator().next();
                channel.queueBind(queue, exchange, key(only.getKey(), only.getValue()));
            }
        }
    }

    /** A durable queue keeps the bindings of an earlier load, which may have compared something else. */
    private static String key(String compared, Object value) {
        return compared + "=" + value;
    }
}
