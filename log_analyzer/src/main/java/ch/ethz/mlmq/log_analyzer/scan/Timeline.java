package ch.ethz.mlmq.log_analyzer.scan;

/**
 * How time is cut, all in ms since 1970 unless said otherwise.
 *
 * @param originMs     the start: windows count from here
 * @param windowMs     length of a window [ms]
 * @param fromMs       lines before are left out of everything
 * @param toMs         lines from here on are left out of everything
 * @param steadyFromMs end of the warm-up
 * @param steadyToMs   begin of the cool-down
 */
public record Timeline(long originMs, long windowMs, long fromMs, long toMs, long steadyFromMs, long steadyToMs) {
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
        return new Timeline(originMs, windowMs, Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    public boolean contains(long ms) {
        return ms >= fromMs && ms < toMs;
    }

    /** @return number of the window, from 0; what ended before the origin, out of order, counts to the first */
    public long window(long ms) {
        return Math.max(0, Math.floorDiv(ms - originMs, windowMs));
    }

    public long windowStart(long window) {
        return originMs + window * windowMs;
    }

    /** @return number of the slot of a series whose slots are so long, from 0 */
    public int slot(long ms, long slotMs) {
        return (int) Math.max(0, (ms - originMs) / slotMs);
    }

    /** @return 0 before, 1 in, 2 after the steady part */
    int part(long ms) {
        return ms < steadyFromMs ? BEFORE : ms < steadyToMs ? STEADY : AFTER;
    }

    long partStart(int part) {
        return part == BEFORE ? fromMs : Math.max(fromMs, part == STEADY ? steadyFromMs : steadyToMs);
    }

    long partEnd(int part) {
        return part == AFTER ? toMs : Math.min(toMs, part == STEADY ? steadyToMs : steadyFromMs);
    }
}
