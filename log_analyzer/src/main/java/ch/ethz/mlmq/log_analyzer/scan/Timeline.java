package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.run.TimeRange;

/**
 * Windows and parts of the time, all in ms since 1970 unless noted otherwise. A record belongs to the window in which
 * it ended, and to the part of the time in which it began: requests that began in the measurement interval count there,
 * however late their responses.
 *
 * @param originMs the start: windows count from here
 * @param windowMs length of a window [ms]
 * @param asked    records that began outside are not steady, and those that ended outside are in no window
 * @param steady   between warm-up and cool-down
 * @param planned  true if the measurement interval was that long, even without records near its end
 * @param believed records that ended outside are implausible
 */
public record Timeline(long originMs, long windowMs, TimeRange asked, TimeRange steady, boolean planned,
        TimeRange believed) {
    /** Beyond it there is no series. */
    static final int LAST_SLOT = 1 << 29;
    static final int PARTS = 3;
    static final int STEADY = 1;
    static final int BEFORE = 0;
    static final int AFTER = 2;

    public Timeline {
        if (windowMs <= 0) {
            throw new IllegalArgumentException("window must be positive: " + windowMs);
        }
    }

    /** @return a time line with no cut at all */
    public static Timeline uncut(long originMs, long windowMs) {
        return new Timeline(originMs, windowMs, TimeRange.ALWAYS, TimeRange.ALWAYS, false, TimeRange.ALWAYS);
    }

    /** @return the same, with records between these two only */
    public Timeline believing(long earliest, long latest) {
        return new Timeline(originMs, windowMs, asked, steady, planned, new TimeRange(earliest, latest));
    }

    boolean believes(long ms) {
        return ms >= believed.fromMs() && ms < believed.toMs();
    }

    public boolean contains(long ms) {
        return ms >= asked.fromMs() && ms < asked.toMs();
    }

    /** @return number of the window, from 0; records that ended before the origin, out of order, count in the first */
    public long window(long ms) {
        return Math.max(0, Math.floorDiv(ms - originMs, windowMs));
    }

    public long windowStart(long window) {
        return originMs + window * windowMs;
    }

    /**
     * @return number of the slot of a series whose slots are so long, from 0 to {@value #LAST_SLOT}; 0 before the
     *     origin
     */
    public int slot(long ms, long slotMs) {
        return ms <= originMs ? 0 : (int) Math.min(LAST_SLOT, (ms - originMs) / slotMs);
    }

    /** @return 0 before, 1 in, 2 after the measurement interval */
    int part(long ms) {
        if (ms < partEnd(BEFORE)) {
            return BEFORE;
        }
        return ms < partEnd(STEADY) ? STEADY : AFTER;
    }

    long partStart(int part) {
        return part == BEFORE ? Long.MIN_VALUE : partEnd(part - 1);
    }

    long partEnd(int part) {
        return switch (part) {
            case BEFORE -> Math.max(asked.fromMs(), steady.fromMs());
            case STEADY -> Math.max(partEnd(BEFORE), Math.min(asked.toMs(), steady.toMs()));
            default -> Long.MAX_VALUE;
        };
    }
}
