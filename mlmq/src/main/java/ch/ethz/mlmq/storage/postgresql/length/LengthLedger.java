package ch.ethz.mlmq.storage.postgresql.length;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Gains and losses of each queue by this broker's transactions since it last wrote them to the database. So lengths
 * cost nothing in the transactions themselves, and need no count(*). Used by many threads.
 *
 * <p>The changes are kept by transaction, because a count of all messages sees some transactions and not others. If the
 * database is unavailable for long they are merged, so there are at most {@link #MAX_ENTRIES} transactions and one
 * change for each queue. A count that sees only a part of merged transactions must be repeated.
 */
public final class LengthLedger {
    /** Largest number of transactions that are kept separately. */
    static final int MAX_ENTRIES = 2_000;

    private final LongAdder taken = new LongAdder();
    private List<Entry> entries = new ArrayList<>();
    private List<Entry> telling = new ArrayList<>();

    /** Gained and lost messages of a queue. */
    static final class Change {
        private long messages;
        private long gained;

        /** @return messages gained minus messages lost that no recount has seen */
        long messages() {
            return messages;
        }

        /** @return messages gained, whether a recount has seen them or not */
        long gained() {
            return gained;
        }

        private void add(int difference) {
            messages += difference;
            gained += Math.max(0, difference);
        }

        private void add(Change other, boolean recounted) {
            messages += recounted ? 0 : other.messages;
            gained += other.gained;
        }
    }

    /** The changes of one transaction, or of several that were merged. */
    public static final class Entry {
        private final Map<Integer, Change> changes = new HashMap<>();
        private long first;
        private long last;
        private int taken;

        /** @param transaction its id in PostgreSQL */
        public Entry(long transaction) {
            first = transaction;
            last = transaction;
        }

        /** Adds messages to the queue, or removes them if the number is negative. */
        public void change(int queue, int messages) {
            changes.computeIfAbsent(queue, id -> new Change()).add(messages);
            taken += Math.max(0, -messages);
        }

        private void merge(Entry other) {
            first = Math.min(first, other.first);
            last = Math.max(last, other.last);
            other.changes.forEach((queue, change) ->
                    changes.computeIfAbsent(queue, id -> new Change()).add(change, false));
        }
    }

    /** Adds the changes of a transaction after its commit. */
    public void add(Entry entry) {
        if (!entry.changes.isEmpty()) {
            taken.add(entry.taken);
            synchronized (this) {
                entries.add(entry);
                merge(entries);
            }
        }
    }

    private static void merge(List<Entry> full) {
        if (full.size() > MAX_ENTRIES) {
            Entry merged = full.get(0);
            full.subList(1, full.size()).forEach(merged::merge);
            full.subList(1, full.size()).clear();
        }
    }

    /** @return number of messages that this broker's transactions have taken out of queues since its start */
    public long taken() {
        return taken.sum();
    }

    /**
     * Sums up the added changes, which stay here until {@link #forget}, as writing them may fail.
     *
     * @param counted snapshot of the last finished count; changes that it sees do not change a length
     * @param begun   snapshot of the running count, or null
     */
    synchronized Sum sum(Snapshot counted, Snapshot begun) {
        telling.addAll(entries);
        entries = new ArrayList<>();
        merge(telling);
        SortedMap<Integer, Change> changes = new TreeMap<>();
        SortedMap<Integer, Long> sinceBegun = new TreeMap<>();
        boolean exact = true;
        for (Entry entry : telling) {
            boolean seen = counted.sees(entry.last);
            exact &= counted.seesAllOrNone(entry.first, entry.last)
                    && (begun == null || begun.seesAllOrNone(entry.first, entry.last));
            entry.changes.forEach((queue, change) ->
                    changes.computeIfAbsent(queue, id -> new Change()).add(change, seen));
            if (begun != null && !begun.sees(entry.last)) {
                entry.changes.forEach((queue, change) -> sinceBegun.merge(queue, change.messages, Long::sum));
            }
        }
        return new Sum(changes, sinceBegun, exact);
    }

    /** @return number of entries: transactions, or several merged ones */
    synchronized int entries() {
        return entries.size() + telling.size();
    }

    /** Forgets all changes; a count must follow. */
    synchronized void clear() {
        entries = new ArrayList<>();
        telling = new ArrayList<>();
    }

    /** Forgets the last sum after it was written to the database. */
    synchronized void forget() {
        telling = new ArrayList<>();
    }

    /**
     * The changes of several transactions.
     *
     * @param changes    gains and losses of queues, by their ids
     * @param sinceBegun messages gained minus messages lost since the running count began
     * @param exact      false if a count sees only a part of transactions that were merged
     */
    record Sum(SortedMap<Integer, Change> changes, SortedMap<Integer, Long> sinceBegun, boolean exact) {
        boolean isEmpty() {
            return changes.isEmpty();
        }
    }
}
