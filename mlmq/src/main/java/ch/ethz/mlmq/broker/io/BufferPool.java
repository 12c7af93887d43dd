package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.limits.MemoryBudget;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * Memory of one I/O thread's connections, out of the budget that all share; only that thread uses it.
 *
 * <p>Answers are written from buffers of one size, of which some are kept. What has arrived of a frame lies in buffers
 * of the heap, which are reserved here and left to the garbage collector.
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
     * @param relief makes room, by writing what can be written, else by sending the greediest away; false where that
     *        takes another thread, or nobody has any
     */
    BufferPool(MemoryBudget budget, BooleanSupplier relief) {
        this.budget = budget;
        this.relief = relief;
    }

    /** @return an empty buffer; whoever needed it may have been the greediest, and be gone now */
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

    void giveBack(ByteBuffer buffer) {
        count(-1);
        if (free.size() < KEPT) {
            free.addLast(buffer);
        } else {
            budget.giveBack(BYTES);
        }
    }

    /** Takes so much of the budget; whoever needed it may have been the greediest, and be gone now. */
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

    void unreserve(long bytes) {
        budget.giveBack(bytes);
    }

    /** Leaves the buffers that nobody uses to the garbage collector. */
    void drop() {
        budget.giveBack((long) free.size() * BYTES);
        free.clear();
    }

    /** @return buffers taken and not given back; may be asked by any thread */
    int out() {
        return out;
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private void count(int change) {
        out += change;
    }
}
