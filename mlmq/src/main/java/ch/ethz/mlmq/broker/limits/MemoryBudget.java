package ch.ethz.mlmq.broker.limits;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/** What all connections of a broker together may hold: begun frames, unread answers, and buffers kept for them. */
public final class MemoryBudget {
    private static final int SHARE = 4;

    private final long max;
    private final AtomicLong used = new AtomicLong();

    /** @param max [bytes] */
    public MemoryBudget(long max) {
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
    public boolean take(long bytes) {
        if (used.addAndGet(bytes) <= max) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /** Takes it, whether there is so much left or not: as long as another thread gives back what it was asked for. */
    public void takeAnyway(long bytes) {
        used.addAndGet(bytes);
    }

    /** Others may have it. */
    public void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /** @return whether more than a quarter too much is taken */
    public boolean isFarExceeded() {
        return used.get() > max + max / 4;
    }

    /** @return what is taken [bytes] */
    public long used() {
        return used.get();
    }

    /** @return what there is in all [bytes] */
    public long max() {
        return max;
    }
}
