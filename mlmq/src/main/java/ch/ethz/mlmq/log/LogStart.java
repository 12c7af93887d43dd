package ch.ethz.mlmq.log;

/**
 * The common time origin of a JVM's files: {@code Started[...]} in the header of its performance log, and 0 ms in its
 * statistics and gauges. It relates the three files to one another.
 *
 * @param millis [ms UTC]
 * @param nanos  the same moment by {@link System#nanoTime}
 */
public record LogStart(long millis, long nanos) {
    public static LogStart now() {
        return new LogStart(System.currentTimeMillis(), System.nanoTime());
    }
}
