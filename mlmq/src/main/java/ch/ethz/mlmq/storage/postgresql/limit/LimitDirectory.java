package ch.ethz.mlmq.storage.postgresql.limit;

import ch.ethz.mlmq.storage.limit.QueueLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The limits of queues, as they were in the database at most a second ago. It tells only which queues to ask the
 * database about, so sends to all others pay nothing. Any thread may use it.
 */
public final class LimitDirectory {
    private volatile Map<Integer, QueueLimits> limits = Map.of();
    private final Map<Integer, Long> changed = new HashMap<>();
    private volatile long changes;

    /** @return true if the length of the queue may be limited */
    public boolean isBounded(int queue) {
        Map<Integer, QueueLimits> now = limits;
        return !now.isEmpty() && now.getOrDefault(queue, QueueLimits.NONE).isBounded();
    }

    /** @return true if no queue has limits */
    public boolean isEmpty() {
        return limits.isEmpty();
    }

    /** @return the limits of the queue */
    public QueueLimits of(int queue) {
        return limits.getOrDefault(queue, QueueLimits.NONE);
    }

    /** @return queues whose length may be limited */
    public Set<Integer> bounded() {
        return limits.entrySet().stream().filter(one -> one.getValue().isBounded()).map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** @return queues that remove old messages, and the age */
    public Map<Integer, Long> aging() {
        return limits.entrySet().stream().filter(one -> one.getValue().ageMillis() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().ageMillis()));
    }

    /** @return number of changes at this broker so far */
    public long changes() {
        return changes;
    }

    /**
     * Replaces all except those that this broker has changed while they were read.
     *
     * @param before the number of changes before they were read
     * @return false if there are such; all must be read again
     */
    public synchronized boolean learn(Map<Integer, QueueLimits> all, long before) {
        Map<Integer, QueueLimits> now = new HashMap<>(all);
        changed.values().removeIf(change -> change <= before);
        changed.keySet().forEach(queue -> now.put(queue, limits.get(queue)));
        limits = Map.copyOf(now);
        return changed.isEmpty();
    }

    /** Learns of a committed change at this broker before all are read again. */
    public synchronized void learn(int queue, QueueLimits its) {
        changes++;
        changed.put(queue, changes);
        Map<Integer, QueueLimits> now = new HashMap<>(limits);
        now.put(queue, its);
        limits = Map.copyOf(now);
    }
}
