package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.statistics.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The durations that one thread has read, by group and part of the time. Used by that thread only. */
final class CellTable {
    private static final long FIRST_SLOT_MS = 250;
    private static final int MAX_SLOTS = 4096;
    /** Windows farther from the origin than this are a broken clock, not data. */
    static final int MAX_WINDOWS = 1 << 20;
    static final int NOWHERE = -1;
    private static final int BYTES_OF_A_REFERENCE = 4;

    private final Timeline timeline;
    private final long most;
    private long budget;
    private long cellsLeft;
    private final Blocks blocks = new Blocks();
    private final List<Lane> lanes = new ArrayList<>();
    private Cell[][] segments = new Cell[64][];
    private Lane[] bound = new Lane[16];
    private int boundCount;
    private long slotMs = FIRST_SLOT_MS;
    private long bytes;
    private long tooFar;
    private boolean isTooFar;
    private long last = Long.MIN_VALUE;
    private int significantBits = Resolution.EXACT;

    private int segment = NOWHERE;
    /** The window in which records between these two end, NOWHERE if they are not wanted; their slot. */
    private long window = NOWHERE;
    private int endSlot;
    private long endLow;
    /**
     * Length from low to high: one comparison checks both sides, as steps back in time are as frequent as steps
     * forward.
     */
    private long endLength;
    /** The part of the time in which records between these two begin; their slot. */
    private int part;
    private int startSlot;
    private long startLow;
    private long startLength;

    CellTable(Timeline timeline, LogReader.Limits limits) {
        this.timeline = timeline;
        this.budget = limits.budget();
        this.most = limits.most();
        this.cellsLeft = limits.cells();
    }

    /** @return where to put durations of this group */
    Lane lane(int group) {
        while (lanes.size() <= group) {
            lanes.add(new Lane(lanes.size(), new Series(slotMs)));
        }
        return lanes.get(group);
    }

    /**
     * @param lane     of this table
     * @param startMs  when it began [ms since 1970]
     * @param endMs    when it ended
     * @param duration us
     */
    void record(Lane lane, long startMs, long endMs, int duration) {
        if (Long.compareUnsigned(endMs - endLow, endLength) >= 0
                || Long.compareUnsigned(startMs - startLow, startLength) >= 0) {
            turnTo(startMs, endMs);
        }
        if (lane.hasRoom(endSlot) || makeRoom(lane)) {
            lane.put(duration, startSlot, endSlot);
        } else if (isTooFar) {
            return;
        }
        last = Math.max(last, endMs);
    }

    /** @return whether the last record was left out, because it lies too far from the others */
    boolean isTooFar() {
        return isTooFar;
    }

    /** Notes the end of an unwanted record, for the end of the logs. */
    void pass(long endMs) {
        if (endMs > last && timeline.believes(endMs)) {
            last = endMs;
        }
    }

    /** Ends recording, and makes the lanes' contents readable. */
    void close() {
        unbind();
    }

    /**
     * @param window {@link #NOWHERE} for what began in the measurement interval and ended behind the last window that
     * is wanted
     * @return the cell of a group in one stretch of time, null if nothing was recorded
     */
    Cell cell(int group, long window, int part) {
        int index = index(window, part);
        return index < segments.length && segments[index] != null && group < segments[index].length
                ? segments[index][group] : null;
    }

    /** @return the numbers of the windows with records, ascending */
    List<Long> windows() {
        List<Long> found = new ArrayList<>();
        for (int i = Timeline.PARTS; i < segments.length; i++) {
            long window = i / Timeline.PARTS - 1;
            if (segments[i] != null && (found.isEmpty() || found.get(found.size() - 1) != window)) {
                found.add(window);
            }
        }
        return found;
    }

    /** @return the series of a group, with no slot where this thread met none of it */
    Series series(int group) {
        return group < lanes.size() ? lanes.get(group).series() : new Series(slotMs);
    }

    /** @return number of records that are left out because they are implausibly far from the others */
    long tooFar() {
        return tooFar;
    }

    /** @return when the last record ended [ms since 1970] */
    long lastMs() {
        return last;
    }

    boolean isExact() {
        return significantBits == Resolution.EXACT;
    }

    /**
     * Moves to another window. Lines of many clients, and of several files, do so often, mostly within their segment.
     */
    private void turnTo(long startMs, long endMs) {
        long slotBefore = slotMs;
        if (Long.compareUnsigned(endMs - endLow, endLength) >= 0) {
            turnEndTo(endMs);
        }
        if (isTooFar) {
            // Nor does its start change the length of slots.
            turnToSegment(NOWHERE);
            return;
        }
        if (slotMs != slotBefore || Long.compareUnsigned(startMs - startLow, startLength) >= 0) {
            turnStartTo(startMs);
        }
        boolean counts = window != NOWHERE || part == Timeline.STEADY;
        turnToSegment(counts ? index(window, part) : NOWHERE);
    }

    private void turnEndTo(long ms) {
        long in = timeline.window(ms);
        isTooFar = !timeline.believes(ms) || timeline.contains(ms) && in >= MAX_WINDOWS;
        if (isTooFar) {
            window = NOWHERE;
            endLow = ms;
            endLength = 1;
            return;
        }
        endSlot = slot(ms);
        long low = slotLow(endSlot);
        long high = slotHigh(endSlot);
        if (timeline.contains(ms)) {
            window = in;
            low = Math.max(Math.max(low, timeline.asked().fromMs()),
                    in == 0 ? Long.MIN_VALUE : timeline.windowStart(in));
            high = Math.min(Math.min(high, timeline.asked().toMs()), timeline.windowStart(in) + timeline.windowMs());
        } else {
            window = NOWHERE;
            low = ms;
            high = ms + 1;
        }
        endLow = low;
        endLength = high - low;
    }

    private void turnStartTo(long ms) {
        part = timeline.part(ms);
        startSlot = slot(ms);
        startLow = Math.max(slotLow(startSlot), timeline.partStart(part));
        startLength = Math.min(slotHigh(startSlot), timeline.partEnd(part)) - startLow;
    }

    /** Finds the slot; slots become longer if there would be too many. */
    private int slot(long ms) {
        long since = ms - timeline.originMs();
        for (; since / slotMs >= MAX_SLOTS; endLength = 0) {
            slotMs *= 2;
            lanes.forEach(Lane::joinSlots);
        }
        return (int) Math.max(0, since / slotMs);
    }

    /** @return start of a slot; everything before the origin counts in the first slot */
    private long slotLow(int slot) {
        return slot == 0 ? 0 : timeline.originMs() + slot * slotMs;
    }

    private long slotHigh(int slot) {
        return timeline.originMs() + (slot + 1) * slotMs;
    }

    private void turnToSegment(int index) {
        if (index != segment) {
            unbind();
            segment = index;
        }
    }

    private void unbind() {
        for (int i = 0; i < boundCount; i++) {
            bound[i].unbind();
        }
        boundCount = 0;
    }

    /** @return false if this time is not wanted */
    private boolean makeRoom(Lane lane) {
        if (segment == NOWHERE) {
            tooFar += isTooFar ? 1 : 0;
            return false;
        }
        if (!lane.isBound()) {
            bind(lane);
        }
        if (!lane.hasRoom(endSlot)) {
            bytes += lane.grow(endSlot, blocks);
        }
        if (bytes > budget) {
            pack();
            bind(lane);
        }
        return true;
    }

    private void bind(Lane lane) {
        if (segment >= segments.length) {
            segments = Arrays.copyOf(segments, Math.max(segment + 1, segments.length * 2));
        }
        Cell[] cells = segments[segment];
        if (cells == null || lane.group() >= cells.length) {
            int length = Math.min(lanes.size(), Math.max(lane.group() + 1, cells == null ? 0 : 2 * cells.length));
            bytes += (long) BYTES_OF_A_REFERENCE * (length - (cells == null ? 0 : cells.length));
            cells = cells == null ? new Cell[length] : Arrays.copyOf(cells, length);
            segments[segment] = cells;
        }
        if (cells[lane.group()] == null) {
            if (--cellsLeft < 0 || bytes > most) {
                throw new DataException("These logs have too many windows of actions for the memory. Choose a longer "
                        + "-window, fewer actions with -type or -group-by, or more heap (java -Xmx).");
            }
            cells[lane.group()] = new Cell();
            bytes += cells[lane.group()].bytes();
        }
        lane.bind(cells[lane.group()]);
        if (boundCount == bound.length) {
            bound = Arrays.copyOf(bound, boundCount * 2);
        }
        bound[boundCount++] = lane;
    }

    private void pack() {
        unbind();
        packAll();
        if (bytes > budget / 2) {
            significantBits = Resolution.COARSE;
            packAll();
        }
        blocks.keepAtMost(budget - bytes);
        // A table that cannot be made smaller must stay; packing it again and again would only cost time.
        budget = Math.max(budget, 2 * bytes);
    }

    private void packAll() {
        Tally tally = new Tally();
        bytes -= Arrays.stream(segments).filter(Objects::nonNull).flatMap(Arrays::stream).filter(Objects::nonNull)
                .mapToLong(cell -> cell.pack(tally, significantBits, blocks)).sum();
    }

    private static int index(long window, int part) {
        return (int) (window + 1) * Timeline.PARTS + part;
    }
}
