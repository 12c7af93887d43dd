package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.protocol.Message;
import java.util.Comparator;
import java.util.HashMap;
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
    private final Map<Long, Message> places = new HashMap<>();

    /** @param missed true if the message was neither in its queue nor leased at its end */
    private record End(long message, long millis, boolean missed) {
    }

    /** Keeps only what finds the message again, as its end may come long after it was taken. */
    void add(Message message, long endMillis) {
        places.put(message.id(), placeOf(message));
        ends.add(new End(message.id(), endMillis, false));
    }

    /** Lets a message live on. */
    void forget(Message message) {
        places.remove(message.id());
    }

    /** Follows a message to another queue. */
    void follow(Message moved) {
        places.computeIfPresent(moved.id(), (id, place) -> placeOf(moved));
    }

    /** Removes the messages whose time has ended. @param leased ids of messages that follow when their lease is over */
    void end(long now, Map<Integer, MemoryQueue> queues, Set<Long> leased) {
        while (!ends.isEmpty() && ends.element().millis <= now) {
            End end = ends.remove();
            Message place = places.get(end.message);
            if (place == null) {
                continue;
            }
            if (leased.contains(end.message)) {
                ends.add(new End(end.message, now + LEASED_MILLIS, false));
            } else if (!isRemoved(place, queues) && !end.missed) {
                ends.add(new End(end.message, now + MISSED_MILLIS, true));
            } else {
                places.remove(end.message);
            }
        }
    }

    private static Message placeOf(Message message) {
        return new Message(message.id(), message.queue(),
                new Message.Envelope(0, message.receiver(), message.priority(), 0, 0), Message.Delivery.NONE,
                new byte[0]);
    }

    private static boolean isRemoved(Message message, Map<Integer, MemoryQueue> queues) {
        MemoryQueue queue = queues.get(message.queue());
        return queue == null || queue.removeIfThere(message);
    }
}
