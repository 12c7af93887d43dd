package ch.ethz.mlmq.db;

import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many messages each queue has gained and lost by this broker's transactions since it was last told the database.
 * So lengths cost nothing in the transactions themselves, and need no count(*).
 */
final class LengthLedger {
    private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final LongAdder taken = new LongAdder();

    /** What a queue has gained and lost. */
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

    /** The changes of one transaction. */
    static final class Entry {
        private final long transaction;
        private final Map<Integer, Change> changes = new HashMap<>();
        private int taken;

        /** @param transaction id of it, as PostgreSQL counts them */
        Entry(long transaction) {
            this.transaction = transaction;
        }

        void change(int queue, int messages) {
            changes.computeIfAbsent(queue, id -> new Change()).add(messages);
            taken += Math.max(0, -messages);
        }
    }

    /** Called after the commit. */
    void add(Entry entry) {
        if (!entry.changes.isEmpty()) {
            entries.add(entry);
            taken.add(entry.taken);
        }
    }

    /** @return messages that this broker's transactions have taken out of queues, ever since */
    long taken() {
        return taken.sum();
    }

    /**
     * Sums up what was added; it stays here until {@link #forget}, as the database may not take it.
     *
     * @param recounted the transaction as of which all queues were counted last; what was before it changes no length
     * @param begun     the transaction as of which they are being counted now, or 0
     */
    Sum sum(long recounted, long begun) {
        SortedMap<Integer, Change> changes = new TreeMap<>();
        SortedMap<Integer, Long> sinceBegun = new TreeMap<>();
        int count = 0;
        for (Entry entry : entries) {
            count++;
            boolean seen = entry.transaction <= recounted;
            entry.changes.forEach((queue, change) ->
                    changes.computeIfAbsent(queue, id -> new Change()).add(change, seen));
            if (begun != 0 && entry.transaction > begun) {
                entry.changes.forEach((queue, change) -> sinceBegun.merge(queue, change.messages, Long::sum));
            }
        }
        return new Sum(changes, sinceBegun, count);
    }

    /** The database was told. */
    void forget(Sum told) {
        for (int i = 0; i < told.entries; i++) {
            entries.remove();
        }
    }

    /**
     * The changes of several transactions.
     *
     * @param changes    what queues have gained and lost, by their ids
     * @param sinceBegun messages gained less messages lost since the count began that is not at its end yet
     * @param entries    how many transactions
     */
    record Sum(SortedMap<Integer, Change> changes, SortedMap<Integer, Long> sinceBegun, int entries) {
    }
}
