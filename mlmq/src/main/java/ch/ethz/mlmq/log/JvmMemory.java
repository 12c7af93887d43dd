package ch.ethz.mlmq.log;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.ToLongFunction;

/** Memory and processor use of this JVM. Collectors that report nothing count as zero. */
public final class JvmMemory {
    private static final List<GarbageCollectorMXBean> COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans();

    private static final com.sun.management.OperatingSystemMXBean SYSTEM =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final long NANOS_PER_MILLI = 1_000_000;

    private JvmMemory() {
    }

    /** @return bytes of the heap in use, including garbage not collected yet */
    public static long heap() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** @return garbage collections since the start */
    public static long collections() {
        return sum(GarbageCollectorMXBean::getCollectionCount);
    }

    /** @return time spent in garbage collections since the start [ms] */
    public static long collectingMillis() {
        return sum(GarbageCollectorMXBean::getCollectionTime);
    }

    /** @return processor time of all threads since the start [ms] */
    public static long processorMillis() {
        return Math.max(0, SYSTEM.getProcessCpuTime()) / NANOS_PER_MILLI;
    }

    private static long sum(ToLongFunction<GarbageCollectorMXBean> figure) {
        return COLLECTORS.stream().mapToLong(figure).filter(value -> value > 0).sum();
    }
}
