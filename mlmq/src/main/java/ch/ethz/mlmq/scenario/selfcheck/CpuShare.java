package ch.ethz.mlmq.scenario.selfcheck;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor use of this JVM over a span of time, in total and of its busiest thread.
 *
 * <p>Both matter: a load of one I/O thread can reach its limit on a machine whose other processors are idle.
 */
public final class CpuShare {
    private final com.sun.management.OperatingSystemMXBean system =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final int processors = Runtime.getRuntime().availableProcessors();
    private final long startNanos;
    private final long startCpuNanos;
    private final Map<Long, Long> startThreadNanos = new HashMap<>();

    /** Starts the span. */
    public CpuShare() {
        startNanos = System.nanoTime();
        startCpuNanos = system.getProcessCpuTime();
        for (long id : threads.getAllThreadIds()) {
            startThreadNanos.put(id, threads.getThreadCpuTime(id));
        }
    }

    /** @return this JVM's share of all processors' time since the start of the span, 0..1 */
    public double ofMachine() {
        return share(system.getProcessCpuTime() - startCpuNanos, processors);
    }

    /** @return the busiest live thread's share of one processor's time since the start of the span, 0..1 */
    public double ofBusiestThread() {
        long most = 0;
        for (long id : threads.getAllThreadIds()) {
            most = Math.max(most, threads.getThreadCpuTime(id) - startThreadNanos.getOrDefault(id, 0L));
        }
        return share(most, 1);
    }

    private double share(long cpuNanos, int processors) {
        double elapsed = Math.max(1, System.nanoTime() - startNanos);
        return Math.min(1, Math.max(0, cpuNanos / elapsed / processors));
    }
}
