package ch.ethz.mlmq.storage.postgresql.length;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many messages each queue has gained and lost by this broker's transactions since it last told the database. So
 * lengths cost nothing in the transactions themselves, and need no count(*). Used by many threads.
 *
 * <p>The changes are kept transaction by transaction, as a count of all messages sees some and not others. Where the
 * database cannot be told for long they are merged, so it holds {@link #MAX_ENTRIES} transactions and one change for
 * each queue at most. A count that sees a part of what was merged is to be made again.
 */
public final class LengthLedger {
    /** Transactions that are kept apart. */
    static final int MAX_ENTRIES = 2_000;

    private final LongAdder taken = new LongAdder();
    private List<Entry> entries = new ArrayList<>();
    private List<Entry> telling = new ArrayList<>();

    /** The messages of a queue that came and went. */
    static final class Change {
        private long messages;
        private long gained;

        /** @return messages gained less messages lost, where no recount has seen them */
        long messages() {
            return messages;
        }

        /** @return messages gained, whether or not a recount has seen them */
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

        /** @param transaction id of it, as PostgreSQL counts them */
        public Entry(long transaction) {
            first = transaction;
            last = transaction;
        }

        /** The queue has gained so many messages, or lost them where the number is negative. */
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

    /** Called after the commit. */
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

    /** @return messages that this broker's transactions have taken out of queues, ever since */
    public long taken() {
        return taken.sum();
    }

    /**
     * Sums up what was added; it stays here until {@link #forget}, as the database may not take it.
     *
     * @param counted in which all queues were counted last; what it sees changes no length
     * @param begun   in which they are being counted now, or null
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

    /** @return transactions, or several merged, that are kept */
    synchronized int entries() {
        return entries.size() + telling.size();
    }

    /** The database was told the last sum. */
    synchronized void forget() {
        telling = new ArrayList<>();
    }

    /**
     * The changes of several transactions.
     *
     * @param changes    what queues have gained and lost, by their ids
     * @param sinceBegun messages gained less messages lost since the count began that is not at its end yet
     * @param exact      false where a count sees a part only of transactions that were merged
     */
    record Sum(SortedMap<Integer, Change> changes, SortedMap<Integer, Long> sinceBegun, boolean exact) {
        boolean isEmpty() {
            return changes.isEmpty();
        }
    }
}
