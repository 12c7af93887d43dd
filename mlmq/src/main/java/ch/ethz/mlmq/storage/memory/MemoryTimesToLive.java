package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.protocol.Message;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;

/** When messages of {@link MemoryStorage} are to be removed; used under its lock. The first end is looked at first. */
final class MemoryTimesToLive {
    /** A delivery that failed may put a message back within this time [ms]. */
    private static final long MISSED_MILLIS = 60_000;
    private static final long LEASED_MILLIS = 100;

    private final Queue<End> ends = new PriorityQueue<>(Comparator.comparingLong(End::millis));

    /** @param missed true if the message was neither in its queue nor leased at its end */
    private record End(Message message, long millis, boolean missed) {
    }

    /** Keeps only what finds the message again, as its end may come long after it was taken. */
    void add(Message message, long endMillis) {
        Message place = new Message(message.id(), message.queue(),
                new Message.Envelope(0, message.receiver(), message.priority(), 0, 0), Message.Delivery.NONE,
                new byte[0]);
        ends.add(new End(place, endMillis, false));
    }

    /** Forgets the ends of messages. */
    void forget(Set<Long> messages) {
        ends.removeIf(end -> messages.contains(end.message.id()));
    }

    /** Removes the messages whose time has ended. @param leased ids of messages that follow when their lease is over */
    void end(long now, Map<Integer, MemoryQueue> queues, Set<Long> leased) {
        while (!ends.isEmpty() && ends.element().millis <= now) {
            End end = ends.remove();
            if (leased.contains(end.message.id())) {
                ends.add(new End(end.message, now + LEASED_MILLIS, false));
            } else if (!isRemoved(end.message, queues) && !end.missed) {
                ends.add(new End(end.message, now + MISSED_MILLIS, true));
            }
        }
    }

    private static boolean isRemoved(Message message, Map<Integer, MemoryQueue> queues) {
        MemoryQueue queue = queues.get(message.queue());
        return queue == null || queue.removeIfThere(message);
    }
}
