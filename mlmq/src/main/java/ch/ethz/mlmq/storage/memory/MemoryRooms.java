package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.limit.LimitCounters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes room in queues with limits; used under the lock of {@link MemoryStorage}. */
final class MemoryRooms {
    private final LimitCounters counters;

    MemoryRooms(LimitCounters counters) {
        this.counters = counters;
    }

    /** A message that is about to be stored. */
    record Arrival(MemoryQueue queue, int priority, int bytes) {
    }

    /** What arrives at a queue. */
    private static final class Sum {
        private int messages;
        private long bytes;

        private void add(Arrival arrival) {
            messages++;
            bytes += arrival.bytes;
        }
    }

    /** Makes room for all of them. @return a failure if there is none, and nothing was changed */
    Response.Failure make(List<Arrival> arrivals) {
        List<Arrival> bounded = arrivals.stream().filter(arrival -> arrival.queue.limits().isBounded())
                .sorted(Comparator.comparingInt(Arrival::priority).reversed()).toList();
        Map<MemoryQueue, Sum> sums = new HashMap<>();
        List<Message> dropped = new ArrayList<>();
        for (Arrival arrival : bounded) {
            Sum sum = sums.computeIfAbsent(arrival.queue, queue -> new Sum());
            sum.add(arrival);
            if (!hasRoom(arrival, sum, dropped)) {
                dropped.forEach(message -> of(message, bounded).add(message));
                counters.refused.increment();
                return Failures.queueIsFull(arrival.queue.id, arrival.queue.limits());
            }
        }
        counters.dropped.add(dropped.size());
        return null;
    }

    /** Drops messages of the same or a lower priority. */
    private static boolean hasRoom(Arrival arrival, Sum sum, List<Message> dropped) {
        MemoryQueue queue = arrival.queue;
        while (!queue.hasRoomFor(sum.messages, sum.bytes)) {
            Message lowest = queue.limits().drops() ? queue.lowest() : null;
            if (lowest == null || lowest.priority() > arrival.priority) {
                return false;
            }
            queue.remove(lowest);
            dropped.add(lowest);
        }
        return true;
    }

    /** Drops what came into a queue beyond its limits on another way than by a send. */
    void trim(MemoryQueue queue) {
        while (queue.limits().drops() && !queue.hasRoomFor(0, 0) && queue.lowest() != null) {
            queue.remove(queue.lowest());
            counters.dropped.increment();
        }
    }

    private static MemoryQueue of(Message message, List<Arrival> arrivals) {
        return arrivals.stream().map(Arrival::queue).filter(queue -> queue.id == message.queue()).findFirst()
                .orElseThrow();
    }
}
