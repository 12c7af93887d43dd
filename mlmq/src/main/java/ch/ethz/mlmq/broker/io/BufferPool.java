package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.limits.MemoryBudget;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * Memory of one I/O thread's connections, taken from the budget that all threads share. Used by one thread.
 *
 * <p>Responses are written from pooled buffers of one size. Begun frames lie in heap buffers, which are reserved here
 * and left to the garbage collector.
 */
public final class BufferPool {
    /** Capacity of a buffer [bytes]. */
    public static final int BYTES = 1 << 14;
    private static final int KEPT = 256;

    private final Deque<ByteBuffer> free = new ArrayDeque<>();
    private final MemoryBudget budget;
    private final BooleanSupplier relief;
    private volatile int out;

    /**
     * @param relief makes room by writing pending responses, or by closing the connection that uses most memory;
     * returns false if another thread has to do so, or no connection uses memory
     */
    BufferPool(MemoryBudget budget, BooleanSupplier relief) {
        this.budget = budget;
        this.relief = relief;
    }

    /** @return an empty buffer; the caller must check that its connection was not closed to make room */
    ByteBuffer take() {
        ByteBuffer buffer = free.pollLast();
        while (buffer == null) {
            if (budget.take(BYTES)) {
                buffer = ByteBuffer.allocateDirect(BYTES);
            } else {
                boolean relieved = relief.getAsBoolean();
                buffer = free.pollLast();
                if (buffer == null && !relieved) {
                    budget.takeAnyway(BYTES);
                    buffer = ByteBuffer.allocateDirect(BYTES);
                }
            }
        }
        count(1);
        return buffer.clear();
    }

    boolean hasFree() {
        return !free.isEmpty();
    }

    void release(ByteBuffer buffer) {
        count(-1);
        if (free.size() < KEPT) {
            free.addLast(buffer);
        } else {
            budget.release(BYTES);
        }
    }

    /** Reserves bytes of the budget; the caller must check that its connection was not closed to make room. */
    void reserve(long bytes) {
        while (!budget.take(bytes)) {
            if (!free.isEmpty()) {
                drop();
            } else if (!relief.getAsBoolean()) {
                budget.takeAnyway(bytes);
                return;
            }
        }
    }

    /** Reserves bytes that are in use already; the next connection that needs memory makes room. */
    void reserveAnyway(long bytes) {
        budget.takeAnyway(bytes);
    }

    void unreserve(long bytes) {
        budget.release(bytes);
    }

    /** Drops pooled buffers that are not in use, so that the garbage collector frees them. */
    void drop() {
        budget.release((long) free.size() * BYTES);
        free.clear();
    }

    /** @return buffers taken and not returned; any thread may call this */
    int out() {
        return out;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void count(int change) {
        out += change;
    }
}
