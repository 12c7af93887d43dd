package ch.ethz.mlmq.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The requests of one connection that wait for their response, by correlation id. It grows to the needed size and then
 * allocates nothing. Guarded by its owner.
 */
final class InFlightTable {
    /** The correlation id of signs of life, whose responses are ignored. */
    static final int SIGN_OF_LIFE = -1;
    private static final int FIRST_SLOTS = 8;

    private final int max;
    private Entry[] slots = entries(FIRST_SLOTS);
    private int size;
    private int lastId;

    /** One waiting request; the entry is free if it has no completion. */
    static final class Entry {
        private int id;
        private Completion completion;
        private boolean takes;
        private long tag;
        private long sentNanos;
        private long deadlineNanos;

        int id() {
            return id;
        }

        /** @return true if its response may hold messages that exist nowhere else */
        boolean takes() {
            return takes;
        }

        Completion completion() {
            return completion;
        }

        long tag() {
            return tag;
        }

        long sentNanos() {
            return sentNanos;
        }
    }

    /**
     * @param lastId last correlation id of the connection before it, so that ids differ over the connections of a
     * client
     */
    InFlightTable(int max, int lastId) {
        this.max = max;
        this.lastId = lastId;
    }

    int lastId() {
        return lastId;
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == max;
    }

    /**
     * @param takes true if its response may hold messages that exist nowhere else
     * @return its correlation id
     */
    int add(Completion completion, boolean takes, long tag, long sentNanos, long deadlineNanos) {
        if (2 * (size + 1) > slots.length) {
            grow();
        }
        int id = nextId();
        Entry entry = slots[id & slots.length - 1];
        entry.id = id;
        entry.completion = completion;
        entry.takes = takes;
        entry.tag = tag;
        entry.sentNanos = sentNanos;
        entry.deadlineNanos = deadlineNanos;
        size++;
        return id;
    }

    /**
     * @return the request, which the caller must {@linkplain #remove remove} once read; null if none waits under that
     * id
     */
    Entry find(int id) {
        Entry entry = slots[id & slots.length - 1];
        return entry.completion != null && entry.id == id ? entry : null;
    }

    void remove(Entry entry) {
        entry.completion = null;
        size--;
    }

    /** Removes the requests whose deadline has passed. */
    List<Entry> removeOverdue(long nowNanos) {
        return removeIf(entry -> entry.deadlineNanos - nowNanos <= 0);
    }

    List<Entry> removeAll() {
        return removeIf(entry -> true);
    }

    /** Removes the requests whose response may hold messages. */
    List<Entry> removeTaking() {
        return removeIf(Entry::takes);
    }

    /** @return [ns] until the next deadline, or {@link Long#MAX_VALUE} if no request waits */
    long nanosToNextDeadline(long nowNanos) {
        long next = Long.MAX_VALUE;
        for (Entry entry : slots) {
            if (entry.completion != null) {
                next = Math.min(next, entry.deadlineNanos - nowNanos);
            }
        }
        return next;
    }

    private List<Entry> removeIf(Predicate<Entry> condition) {
        List<Entry> removed = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            if (slots[i].completion != null && condition.test(slots[i])) {
                removed.add(slots[i]);
                slots[i] = new Entry();
                size--;
            }
        }
        return removed;
    }

    /** @return a correlation id that no request has, never 0 or a reserved one */
    int nextId() {
        do {
            lastId++;
        } while (lastId == 0 || lastId == SIGN_OF_LIFE || slots[lastId & slots.length - 1].completion != null);
        return lastId;
    }

    /**
     * Doubles the table. Ids that differ modulo the old size also differ modulo twice the size, so there are no
     * collisions.
     */
    private void grow() {
        Entry[] more = entries(slots.length * 2);
        for (Entry entry : slots) {
            if (entry.completion != null) {
                more[entry.id & more.length - 1] = entry;
            }
        }
        slots = more;
    }

    private static Entry[] entries(int count) {
        Entry[] entries = new Entry[count];
        for (int i = 0; i < count; i++) {
            entries[i] = new Entry();
        }
        return entries;
    }
}
