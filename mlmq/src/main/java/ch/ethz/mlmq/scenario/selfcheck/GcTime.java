package ch.ethz.mlmq.scenario.selfcheck;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Time in garbage collection since this object was made. */
public final class GcTime {
    private final long startMillis = totalMillis();

    /** @return time spent in collections [ms] */
    public long millis() {
        return totalMillis() - startMillis;
    }

    private static long totalMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime).filter(millis -> millis > 0).sum();
    }
}
