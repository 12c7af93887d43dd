package ch.ethz.mlmq.scenario.engine;

/** A queue of primitive numbers, first in, first out. Used by one thread at a time. */
final class LongQueue {
    private static final int FIRST_CAPACITY = 16;

    private long[] values = new long[FIRST_CAPACITY];
    private int head;
    private int size;

    void add(long value) {
        if (size == values.length) {
            grow();
        }
        values[(head + size++) & values.length - 1] = value;
    }

    /** @return the oldest number; the queue must not be empty */
    long poll() {
        if (size == 0) {
            throw new IllegalStateException("the queue is empty");
        }
        long value = values[head];
        head = head + 1 & values.length - 1;
        size--;
        return value;
    }

    int size() {
        return size;
    }

    private void grow() {
        long[] larger = new long[values.length * 2];
        for (int i = 0; i < size; i++) {
            larger[i] = values[head + i & values.length - 1];
        }
        values = larger;
        head = 0;
    }
}
