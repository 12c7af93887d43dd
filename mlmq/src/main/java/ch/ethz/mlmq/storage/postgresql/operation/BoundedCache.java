package ch.ethz.mlmq.storage.postgresql.operation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache of two generations. When the young one is full it becomes the old one, and entries of the old one that were
 * not used since are dropped. A generation is kept for at least {@link #KEPT_NANOS}, longer than a request may take, so
 * an entry that a request has looked up stays until its response. Used by many threads.
 */
final class BoundedCache<V> {
    private static final long KEPT_NANOS = 30_000_000_000L;

    private final int capacity;
    private final long keptNanos;
    private volatile Map<Integer, V> young = new ConcurrentHashMap<>();
    private volatile Map<Integer, V> old = new ConcurrentHashMap<>();
    private long turnedNanos = System.nanoTime();

    /** @param capacity entries of a generation */
    BoundedCache(int capacity) {
        this(capacity, KEPT_NANOS);
    }

    BoundedCache(int capacity, long keptNanos) {
        this.capacity = capacity;
        this.keptNanos = keptNanos;
    }

    /** @return the entry, or null if it is not cached */
    V get(int id) {
        V value = young.get(id);
        if (value == null) {
            value = old.get(id);
            if (value != null) {
                put(id, value);
            }
        }
        return value;
    }

    void put(int id, V value) {
        if (young.size() >= capacity) {
            turn();
        }
        young.put(id, value);
    }

    void remove(int id) {
        young.remove(id);
        old.remove(id);
    }

    /** @return entries of both generations */
    int size() {
        return young.size() + old.size();
    }

    private synchronized void turn() {
        long now = System.nanoTime();
        if (young.size() >= capacity && now - turnedNanos >= keptNanos) {
            old = young;
            young = new ConcurrentHashMap<>();
            turnedNanos = now;
        }
    }
}
