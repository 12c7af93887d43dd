package ch.ethz.mlmq.log_analyzer.profile;

import ch.ethz.mlmq.log_analyzer.vocabulary.ProfileWords;
import java.util.Locale;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/** Resources that a profile distributes over methods. */
public enum ProfileKind {
    /** Samples of threads that execute Java are counted. */
    CPU("samples"),
    /** Allocations are sampled; each sample has the bytes since the thread's previous one. */
    ALLOC("bytes"),
    /** Waits for monitors and locks are measured if they reach the recording's threshold. */
    LOCK("ns");

    private static final String LOCKS = "java.util.concurrent.locks.";

    private final String words;
    private final String unit;

    ProfileKind(String unit) {
        this.words = ProfileWords.of(name().toLowerCase(Locale.ROOT));
        this.unit = unit;
    }

    public String words() {
        return words;
    }

    /** @return unit of the weights */
    public String unit() {
        return unit;
    }

    /** @return the resource of the event; null if it does not count */
    static ProfileKind of(RecordedEvent event) {
        return switch (event.getEventType().getName()) {
            case "jdk.ExecutionSample" -> CPU;
            case "jdk.ObjectAllocationSample" -> ALLOC;
            case "jdk.JavaMonitorEnter" -> LOCK;
            case "jdk.ThreadPark" -> isLock(event) ? LOCK : null;
            default -> null;
        };
    }

    double weight(RecordedEvent event) {
        return switch (this) {
            case CPU -> 1;
            case ALLOC -> Math.max(0, event.getLong("weight"));
            case LOCK -> Math.max(0, event.getDuration().toNanos());
        };
    }

    RecordedThread thread(RecordedEvent event) {
        return this == CPU ? event.getThread("sampledThread") : event.getThread();
    }

    /**
     * @return true for a wait for a lock; threads that wait for work, for time or for a response park too, but do not
     * count
     */
    private static boolean isLock(RecordedEvent event) {
        if (event.getClass("parkedClass") == null) {
            return false;
        }
        String parked = event.getClass("parkedClass").getName();
        return parked.startsWith(LOCKS) && !parked.endsWith("ConditionObject")
                || parked.startsWith("java.util.concurrent.Semaphore");
    }
}
