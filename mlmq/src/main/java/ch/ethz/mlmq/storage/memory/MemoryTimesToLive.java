package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.protocol.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** When messages of {@link MemoryStorage} are to be removed; used under its lock. */
final class MemoryTimesToLive {
    /** A delivery that failed may put a message back within this time [ms]. */
    private static final long MISSED_MILLIS = 60_000;

    private final Map<Long, End> ends = new HashMap<>();

    /** @param missed true if the message was neither in its queue nor leased at its end */
    private record End(Message message, long millis, boolean missed) {
    }

    void add(Message message, long endMillis) {
        ends.put(message.id(), new End(message, endMillis, false));
    }

    /** Removes the messages whose time has ended. @param leased ids of messages that follow when their lease is over */
    void end(long now, Map<Integer, MemoryQueue> queues, Set<Long> leased) {
        ends.values().removeIf(end -> end.millis <= now && !leased.contains(end.message.id())
                && (isRemoved(end.message, queues) || end.missed));
        ends.replaceAll((id, end) -> end.millis <= now && !leased.contains(id)
                ? new End(end.message, now + MISSED_MILLIS, true) : end);
    }

    private static boolean isRemoved(Message message, Map<Integer, MemoryQueue> queues) {
        MemoryQueue queue = queues.get(message.queue());
        return queue == null || queue.removeIfThere(message);
    }
}
