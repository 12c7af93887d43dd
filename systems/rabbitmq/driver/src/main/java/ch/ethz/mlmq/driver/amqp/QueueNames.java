package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.scenario.link.Numbering;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Names of queues on the server by their numbers. */
final class QueueNames {
    private final String prefix;
    private final Numbering numbering;
    private final Map<Integer, String> names = new ConcurrentHashMap<>();

    QueueNames(String prefix, Numbering numbering) {
        this.prefix = prefix;
        this.numbering = numbering;
    }

    String of(int queue) {
        return names.computeIfAbsent(queue, number -> prefix + "." + numbering.queueName(number));
    }
}
