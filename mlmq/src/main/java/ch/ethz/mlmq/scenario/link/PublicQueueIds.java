package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Ids of the public queues at the brokers, which the clients of a JVM find or make before the load. Thread-safe. */
final class PublicQueueIds {
    private final Numbering numbering;
    private final Map<Integer, Integer> ids = new ConcurrentHashMap<>();

    /** @param numbering knows the names of public queues */
    PublicQueueIds(Numbering numbering) {
        this.numbering = numbering;
    }

    /** @return a completion that learns the id of a queue which the request finds or makes, and then tells the other */
    Completion learnsFrom(Request request, Completion completion) {
        if (!(request instanceof Request.LookupQueue || request instanceof Request.CreateQueue)) {
            return completion;
        }
        return (tag, status, response, sentNanos, endNanos) -> {
            if (response instanceof Response.QueueFound found && numbering.queue(found.name()) > 0) {
                ids.put(numbering.queue(found.name()), found.queue());
            }
            completion.completed(tag, status, response, sentNanos, endNanos);
        };
    }

    /** @return true if it is the id of a public queue */
    boolean has(int id) {
        return ids.containsValue(id);
    }

    /** @return ids of the queues of these numbers that are there */
    List<Integer> ids(int[] numbers) {
        return Arrays.stream(numbers).mapToObj(ids::get).filter(Objects::nonNull).toList();
    }
}
