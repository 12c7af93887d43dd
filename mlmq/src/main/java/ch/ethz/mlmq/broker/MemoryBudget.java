package ch.ethz.mlmq.broker;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/** What all connections of a broker together may hold: begun frames, unread answers, and buffers kept for them. */
final class MemoryBudget {
    private static final int SHARE = 4;

    private final long max;
    private final AtomicLong used = new AtomicLong();

    /** @param max [bytes] */
    MemoryBudget(long max) {
        this.max = max;
    }

    /** @return the part of the heap or of the direct memory, whichever is less, that connections get [bytes] */
    static long share() {
        long heap = Runtime.getRuntime().maxMemory();
        long direct = Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize").getValue());
        return Math.min(heap, direct == 0 ? heap : direct) / SHARE;
    }

    /** @return whether there was so much left */
    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= max) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /** Takes it, whether there is so much left or not: as long as another thread gives back what it was asked for. */
    void takeAnyway(long bytes) {
        used.addAndGet(bytes);
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /** @return whether more than a quarter too much is taken */
    boolean isFarExceeded() {
        return used.get() > max + max / 4;
    }

    long used() {
        return used.get();
    }

    long max() {
        return max;
    }
}
