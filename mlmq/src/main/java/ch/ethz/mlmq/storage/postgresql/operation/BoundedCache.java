package ch.ethz.mlmq.storage.postgresql.operation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers what was used last, in two generations: where the young one is full it becomes the old one, and what was
 * old is forgotten unless it was used since. A generation is kept for {@link #KEPT_NANOS} at least, longer than a
 * request may take, so what a request has looked up is there until it is answered. Used by many threads.
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

    /** @return null where it is not known */
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
