package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.Locale;

/**
 * The highest backlog of a load with phases, and how long it lasted. Times are in ms since 1970.
 *
 * @param before    the highest of the first phase [messages]
 * @param highest   the highest behind it [messages]
 * @param highestMs when that was
 * @param sinceMs   the end of the phase that left most messages behind
 * @param untilMs   when as few were left as before, or the end of the load
 * @param left      the backlog then [messages]
 * @param drained   whether that is as few as before, or on its way
 */
public record Backlog(double before, double highest, long highestMs, long sinceMs, long untilMs, double left,
        boolean drained) {
    private static final long MS_PER_SECOND = 1000;

    /** @return false if the first phase has the highest backlog */
    public boolean isBuiltUp() {
        return highest > before;
    }

    /** @return time to drain [ms], 0 if nothing was built up; infinite if the load ended before */
    public double drainMs() {
        return drained ? untilMs - sinceMs : Double.POSITIVE_INFINITY;
    }

    /** @return how long it was observed [ms] */
    public double observedMs() {
        return untilMs - sinceMs;
    }

    /** @param firstMs begin of the first phase */
    String words(long firstMs) {
        String then = drained ? "%2$s s after its phase it was %4$,d" : "At the end of the load, %2$s s after its "
                + "phase, it was %4$,d";
        return String.format(Locale.ROOT, "Highest backlog: %1$,d messages, %5$d s after the first phase began. "
                + then + "; in the first phase it was at most %3$,d.",
                Math.round(highest), Figures.rounded(observedMs() / MS_PER_SECOND, 1), Math.round(before),
                Math.round(left), (highestMs - firstMs) / MS_PER_SECOND);
    }
}
