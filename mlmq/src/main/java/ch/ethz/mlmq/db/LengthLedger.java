package ch.ethz.mlmq.db;

import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many messages each queue has gained and lost by this broker's transactions since it was last told the database.
 * So lengths cost nothing in the transactions themselves, and need no count(*).
 */
final class LengthLedger {
    private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
    private final LongAdder taken = new LongAdder();

    /** The changes of one transaction. */
    static final class Entry {
        private final long transaction;
        private final Map<Integer, Integer> changes = new HashMap<>();
        private int taken;

        /** @param transaction id of it, as PostgreSQL counts them */
        Entry(long transaction) {
            this.transaction = transaction;
        }

        void change(int queue, int messages) {
            changes.merge(queue, messages, Integer::sum);
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
     * @param recounted the transaction as of which all queues were counted last; what was before it counts no more
     * @param begun     the transaction as of which they are being counted now, or 0
     */
    Sum sum(long recounted, long begun) {
        Map<Integer, Long> changes = new HashMap<>();
        Map<Integer, Long> sinceBegun = new HashMap<>();
        int count = 0;
        for (Entry entry : entries) {
            count++;
            if (entry.transaction > recounted) {
                entry.changes.forEach((queue, messages) -> changes.merge(queue, (long) messages, Long::sum));
            }
            if (begun != 0 && entry.transaction > begun) {
                entry.changes.forEach((queue, messages) -> sinceBegun.merge(queue, (long) messages, Long::sum));
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
     * @param changes    messages gained or lost, by id of the queue
     * @param sinceBegun those of transactions since the count began that is not at its end yet
     * @param entries    how many transactions
     */
    record Sum(Map<Integer, Long> changes, Map<Integer, Long> sinceBegun, int entries) {
    }
}
