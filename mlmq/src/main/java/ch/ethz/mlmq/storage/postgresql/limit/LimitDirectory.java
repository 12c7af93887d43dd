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

    /** Replaces all. */
    public void learn(Map<Integer, QueueLimits> all) {
        limits = Map.copyOf(all);
    }

    /** Learns of a change at this broker before all are read again. */
    synchronized void learn(int queue, QueueLimits changed) {
        Map<Integer, QueueLimits> now = new HashMap<>(limits);
        now.put(queue, changed);
        limits = Map.copyOf(now);
    }
}
