package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requested part of the time, in ms.
 *
 * @param startMs    zero of the other times [ms since 1970]; empty: start of the first record
 * @param fromMs     since the start
 * @param toMs       since the start; {@link #NO_END} for no limit
 * @param warmupMs   length at the beginning that is not steady yet
 * @param cooldownMs length at the end that is no longer steady
 * @param steady     the measurement interval if it is known, instead of warm-up and cool-down
 */
public record TimeSelection(OptionalLong startMs, long fromMs, long toMs, long warmupMs, long cooldownMs,
        Optional<TimeRange> steady) {
    public static final long NO_END = Long.MAX_VALUE;
    public static final TimeSelection NONE = new TimeSelection(OptionalLong.empty(), 0, NO_END, 0, 0, Optional.empty());

    /** @return the whole time, steady while all clients were measuring, as far as they tell */
    public static TimeSelection whileMeasuring(Run run) throws IOException {
        return new TimeSelection(OptionalLong.empty(), 0, NO_END, 0, 0, run.measuringPhase());
    }

    /** @return true if it counts from the begin or the end of the performance logs */
    public boolean isByTheLogs() {
        return steady.isEmpty() && !equals(NONE);
    }

    /** @param endMs when the last record ended; not used where there is no cool-down to cut */
    Timeline timeline(long firstMs, long endMs, long windowMs) {
        long originMs = startMs.orElse(firstMs);
        long to = toMs == NO_END ? Long.MAX_VALUE : originMs + toMs;
        long from = fromMs == 0 && startMs.isEmpty() ? Long.MIN_VALUE : originMs + fromMs;
        TimeRange between = new TimeRange(warmupMs == 0 ? from : originMs + warmupMs,
                cooldownMs == 0 ? to : Math.min(to, endMs + 1) - cooldownMs);
        return new Timeline(originMs, windowMs, new TimeRange(from, to), steady.orElse(between), steady.isPresent(),
                TimeRange.ALWAYS);
    }
}
