package ch.ethz.mlmq.log;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * A bounded ring from many measuring threads to one writing thread. It neither blocks nor allocates: a record that
 * finds the ring full is counted as dropped.
 */
public final class RecordRing {
    private static final int FIELDS = 4;
    private static final int START = 0;
    private static final int END = 1;
    private static final int SERVICE = 2;
    private static final int CLIENTS = 3;

    private final int mask;
    private final Action[] actions;
    private final long[] fields;
    /** For each slot: its position if it is free to write, position + 1 if it holds a record to read. */
    private final AtomicLongArray turns;
    private final AtomicLong tail = new AtomicLong();
    private final LongAdder dropped = new LongAdder();
    private long head;

    /** @param capacity number of records; rounded up to a power of two */
    public RecordRing(int capacity) {
        int size = Integer.highestOneBit(Math.max(2, capacity) - 1) << 1;
        mask = size - 1;
        actions = new Action[size];
        fields = new long[size * FIELDS];
        turns = new AtomicLongArray(size);
        for (int i = 0; i < size; i++) {
            turns.set(i, i);
        }
    }

    /** Adds a record. Any thread may call this. @return false if it was dropped because the ring was full */
    public boolean offer(Action action, long startNanos, long endNanos, int clients, long serviceNanos) {
        long position = tail.get();
        while (true) {
            int slot = (int) position & mask;
            long turn = turns.get(slot);
            if (turn == position) {
                if (tail.compareAndSet(position, position + 1)) {
                    actions[slot] = action;
                    int base = slot * FIELDS;
                    fields[base + START] = startNanos;
                    fields[base + END] = endNanos;
                    fields[base + SERVICE] = serviceNanos;
                    fields[base + CLIENTS] = clients;
                    turns.setRelease(slot, position + 1);
                    return true;
                }
                position = tail.get();
            } else if (turn < position) {
                dropped.increment();
                return false;
            } else {
                position = tail.get();
            }
        }
    }

    /**
     * Passes records to the consumer. Called by the writing thread only. @return number of records, at most
     * {@code limit}
     */
    public <E extends Exception> int drain(Consumer<E> consumer, int limit) throws E {
        int count = 0;
        while (count < limit) {
            int slot = (int) head & mask;
            if (turns.getAcquire(slot) != head + 1) {
                break;
            }
            int base = slot * FIELDS;
            consumer.accept(actions[slot], fields[base + START], fields[base + END], (int) fields[base + CLIENTS],
                    fields[base + SERVICE]);
            turns.setRelease(slot, head + mask + 1);
            head++;
            count++;
        }
        return count;
    }

    /** @return number of records dropped so far */
    public long dropped() {
        return dropped.sum();
    }

    /**
     * Takes records.
     *
     * @param <E> exception that it may throw
     */
    @FunctionalInterface
    public interface Consumer<E extends Exception> {
        void accept(Action action, long startNanos, long endNanos, int clients, long serviceNanos) throws E;
    }
}
