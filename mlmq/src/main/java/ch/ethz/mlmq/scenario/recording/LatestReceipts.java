package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the latest messages that a JVM has received from queues of its own. What such a queue delivers again was
 * either received here before, or pushed to a connection that was lost with it. Thread-safe.
 */
final class LatestReceipts {
    /** At least so many are remembered, and at most twice as many. */
    static final int LEAST = 100_000;

    private volatile Set<Copy> newer = ConcurrentHashMap.newKeySet();
    private volatile Set<Copy> older = Set.of();

    /** A message in a queue. */
    private record Copy(long id, int queue) {
    }

    /**
     * @param message with an id
     * @return true if it is not among the latest
     */
    boolean add(Message message) {
        Copy copy = new Copy(LoadMessage.idOf(message.content()), message.queue());
        Set<Copy> full = newer;
        boolean isNew = !older.contains(copy) && full.add(copy);
        if (isNew && full.size() >= LEAST) {
            rotate(full);
        }
        return isNew;
    }

    private synchronized void rotate(Set<Copy> full) {
        if (newer == full) {
            older = full;
            newer = ConcurrentHashMap.newKeySet();
        }
    }
}
