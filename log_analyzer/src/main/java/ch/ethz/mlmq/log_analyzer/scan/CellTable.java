package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** What one thread has read: durations by group and stretch of time. Used by that thread only. */
final class CellTable {
    private static final long FIRST_SLOT_MS = 250;
    private static final int MAX_SLOTS = 4096;
    /** Windows farther from the origin than this are a broken clock, not data. */
    static final int MAX_WINDOWS = 1 << 20;
    private static final int NOWHERE = -1;

    private final Timeline timeline;
    private long budget;
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
    /** Where the segment begins and ends; nothing lies in it where there is none. */
    private long segmentLow;
    private long segmentHigh;
    private int slot;
    private long low;
    private long high;
    /** From low to high: one comparison tells both sides, and going back in time is as usual as going on. */
    private long length;

    /** @param budget bytes of durations to keep before they are packed */
    CellTable(Timeline timeline, long budget) {
        this.timeline = timeline;
        this.budget = budget;
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
     * @param ms       when it ended [ms since 1970]
     * @param duration us
     */
    void record(Lane lane, long ms, int duration) {
        if (Long.compareUnsigned(ms - low, length) >= 0) {
            turnTo(ms);
        }
        if (!lane.hasRoom(slot) && !makeRoom(lane)) {
            return;
        }
        lane.put(duration, slot);
        last = Math.max(last, ms);
    }

    /** Ends recording: what the lanes hold goes to where it is read from. */
    void close() {
        unbind();
    }

    /** @return the cell of a group in one stretch of time, null where nothing was recorded */
    Cell cell(int group, long window, int part) {
        int index = index(window, part);
        return index < segments.length && segments[index] != null && group < segments[index].length
                ? segments[index][group] : null;
    }

    /** @return the numbers of the windows in which something was recorded, ascending */
    List<Long> windows() {
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < segments.length; i++) {
            long window = i / Timeline.PARTS;
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

    /** @return records that are left out because they lie more than {@link #MAX_WINDOWS} behind the origin */
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

    /** Lines of many clients, and of files read one after the other, turn often: mostly within their segment. */
    private void turnTo(long ms) {
        if (ms < segmentLow || ms >= segmentHigh) {
            turnToSegmentAt(ms);
        }
        if (segment == NOWHERE) {
            low = ms;
            length = 1;
            return;
        }
        turnToSlot(ms);
        low = Math.max(low, segmentLow);
        length = Math.min(high, segmentHigh) - low;
    }

    private void turnToSegmentAt(long ms) {
        long window = timeline.window(ms);
        isTooFar = timeline.contains(ms) && window >= MAX_WINDOWS;
        if (!timeline.contains(ms) || isTooFar) {
            turnToSegment(NOWHERE);
            segmentLow = 0;
            segmentHigh = 0;
            return;
        }
        int part = timeline.part(ms);
        long start = timeline.windowStart(window);
        segmentLow = Math.max(window == 0 ? Long.MIN_VALUE : start, timeline.partStart(part));
        segmentHigh = Math.min(start + timeline.windowMs(), timeline.partEnd(part));
        turnToSegment(index(window, part));
    }

    private void turnToSlot(long ms) {
        long since = ms - timeline.originMs();
        if (since < 0) {
            slot = 0;
            low = 0;
            high = timeline.originMs();
            return;
        }
        long index = since / slotMs;
        for (; index >= MAX_SLOTS; index = since / slotMs) {
            slotMs *= 2;
            lanes.forEach(Lane::joinSlots);
        }
        slot = (int) index;
        low = timeline.originMs() + slot * slotMs;
        high = low + slotMs;
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

    /** @return false where this time is not wanted */
    private boolean makeRoom(Lane lane) {
        if (segment == NOWHERE) {
            tooFar += isTooFar ? 1 : 0;
            return false;
        }
        if (!lane.isBound()) {
            bind(lane);
        }
        if (!lane.hasRoom(slot)) {
            bytes += lane.grow(slot, blocks);
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
            cells = cells == null ? new Cell[lanes.size()] : Arrays.copyOf(cells, lanes.size());
            segments[segment] = cells;
        }
        if (cells[lane.group()] == null) {
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
        // what cannot be made smaller must be held; packing again and again would only cost time
        budget = Math.max(budget, 2 * bytes);
    }

    private void packAll() {
        Tally tally = new Tally();
        bytes -= Arrays.stream(segments).filter(Objects::nonNull).flatMap(Arrays::stream).filter(Objects::nonNull)
                .mapToLong(cell -> cell.pack(tally, significantBits, blocks)).sum();
    }

    private static int index(long window, int part) {
        return (int) window * Timeline.PARTS + part;
    }
}
