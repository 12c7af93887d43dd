package ch.ethz.mlmq.broker.limits;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory budget of all connections of a broker: begun frames, unread responses, and their buffers. Any thread may use
 * it.
 */
public final class MemoryBudget {
    private static final int SHARE = 4;

    private final long max;
    private final AtomicLong used = new AtomicLong();

    /** @param max [bytes] */
    public MemoryBudget(long max) {
        this.max = max;
    }

    /** @return the connections' part of the heap or of the direct memory, whichever is less [bytes] */
    static long share() {
        long heap = Runtime.getRuntime().maxMemory();
        long direct = Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize").getValue());
        return Math.min(heap, direct == 0 ? heap : direct) / SHARE;
    }

    /** @return true if the bytes were free and are taken */
    public boolean take(long bytes) {
        if (used.addAndGet(bytes) <= max) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /** Takes the bytes even if they are not free, for as long as another thread needs to release others. */
    public void takeAnyway(long bytes) {
        used.addAndGet(bytes);
    }

    /** Releases bytes. */
    public void release(long bytes) {
        used.addAndGet(-bytes);
    }

    /** @return true if more than a quarter too much is taken */
    public boolean isFarExceeded() {
        return used.get() > max + max / 4;
    }

    /** @return bytes taken */
    public long used() {
        return used.get();
    }

    /** @return the whole budget [bytes] */
    public long max() {
        return max;
    }
}
