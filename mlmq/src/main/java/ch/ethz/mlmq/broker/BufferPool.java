package ch.ethz.mlmq.broker;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Buffers of one I/O thread, given out and taken back; only that thread uses it.
 *
 * <p>Most frames fit into a buffer of the least size, of which many are kept. Larger ones, of doubled sizes, are kept in
 * small numbers, so that one burst of large messages does not hold memory for good.
 */
final class BufferPool {
    /** Capacity of the least buffer [bytes]. */
    static final int LEAST = 1 << 14;
    private static final int SIZES = 18;
    private static final int KEPT_BYTES = 1 << 22;

    private final Deque<ByteBuffer>[] free;
    private volatile int out;

    @SuppressWarnings({"unchecked", "rawtypes"})
    BufferPool() {
        free = new Deque[SIZES];
        for (int i = 0; i < SIZES; i++) {
            free[i] = new ArrayDeque<>();
        }
    }

    /** @return an empty buffer with room for at least so many bytes */
    ByteBuffer take(int bytes) {
        int size = sizeOf(bytes);
        ByteBuffer buffer = free[size].pollLast();
        count(1);
        return buffer == null ? ByteBuffer.allocateDirect(LEAST << size) : buffer.clear();
    }

    void giveBack(ByteBuffer buffer) {
        count(-1);
        int size = sizeOf(buffer.capacity());
        if ((long) free[size].size() * buffer.capacity() < KEPT_BYTES) {
            free[size].addLast(buffer);
        }
    }

    /** @return buffers taken and not given back; may be asked by any thread */
    int out() {
        return out;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void count(int change) {
        out += change;
    }

    private static int sizeOf(int bytes) {
        return bytes <= LEAST ? 0 : 32 - Integer.numberOfLeadingZeros((bytes - 1) / LEAST);
    }
}
