package ch.ethz.mlmq.log;

/**
 * The moment from which the files of a JVM count time: {@code Started[...]} in the header of its performance log, 0 ms
 * in its statistics and gauges. Without it nobody could lay the three beside one another.
 *
 * @param millis [ms UTC]
 * @param nanos  the same moment by {@link System#nanoTime}
 */
public record LogStart(long millis, long nanos) {
    public static LogStart now() {
        return new LogStart(System.currentTimeMillis(), System.nanoTime());
    }
}
