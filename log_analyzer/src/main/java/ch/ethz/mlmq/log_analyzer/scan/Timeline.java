package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.run.Phase;

/**
 * How time is cut, all in ms since 1970 unless said otherwise. A record belongs to the window in which it ended, and to
 * the part of the time in which it began: what was asked for in the steady part counts there, however late its answer.
 *
 * @param originMs the start: windows count from here
 * @param windowMs length of a window [ms]
 * @param asked    what began outside is not steady, and what ended outside is in no window
 * @param steady   between warm-up and cool-down
 * @param planned  whether the steady part was as long as that, also where no record ended near its end
 * @param believed records that ended outside are not believed
 */
public record Timeline(long originMs, long windowMs, Phase asked, Phase steady, boolean planned, Phase believed) {
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
        return new Timeline(originMs, windowMs, Phase.ALWAYS, Phase.ALWAYS, false, Phase.ALWAYS);
    }

    /** @return the same, with records between these two only */
    public Timeline believing(long earliest, long latest) {
        return new Timeline(originMs, windowMs, asked, steady, planned, new Phase(earliest, latest));
    }

    boolean believes(long ms) {
        return ms >= believed.fromMs() && ms < believed.toMs();
    }

    public boolean contains(long ms) {
        return ms >= asked.fromMs() && ms < asked.toMs();
    }

    /** @return number of the window, from 0; what ended before the origin, out of order, counts to the first */
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

    /** @return 0 before, 1 in, 2 after the steady part */
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
