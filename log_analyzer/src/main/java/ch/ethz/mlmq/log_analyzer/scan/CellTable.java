package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What one thread has read: durations by group and stretch of time. Used by that thread only. */
final class CellTable {
    private static final long FIRST_SLOT_MS = 250;
    private static final int MAX_SLOTS = 4096;
    /** Windows farther from the origin than this are a broken clock, not data. */
    private static final int MAX_WINDOWS = 1 << 20;
    private static final int WINDOWS_BEFORE_ORIGIN = 1 << 10;

    private final Timeline timeline;
    private final long budget;
    private Cell[][] segments = new Cell[WINDOWS_BEFORE_ORIGIN * Timeline.PARTS * 2][];
    private Series[] series = new Series[16];
    private long slotMs = FIRST_SLOT_MS;
    private long bytes;
    private long outside;
    private long lastMs = Long.MIN_VALUE;
    private long last = Long.MIN_VALUE;
    private int significantBits = Resolution.EXACT;

    private Cell[] cells;
    private int segment;
    private int slot;
    private long low;
    private long high;

    /** @param budget bytes of durations to keep before they are packed */
    CellTable(Timeline timeline, long budget) {
        this.timeline = timeline;
        this.budget = budget;
    }

    /** @param ms when it ended [ms since 1970]; @param duration [us] */
    void record(int group, long ms, int duration) {
        if (ms < low || ms >= high) {
            turnTo(ms);
        }
        if (cells == null) {
            outside++;
            return;
        }
        Cell cell;
        if (group >= cells.length || (cell = cells[group]) == null) {
            cell = newCell(group);
        }
        last = ms;
        series[group].add(slot, duration);
        int taken = cell.add(duration);
        if (taken != 0) {
            take(taken);
        }
    }

    /** @return cells of one stretch, by group; elements and the array itself may be missing */
    Cell[] cells(long window, int part) {
        int index = index(window, part);
        return index < segments.length && segments[index] != null ? segments[index] : new Cell[0];
    }

    /** @return the numbers of the windows in which something was recorded, ascending */
    List<Long> windows() {
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < segments.length; i++) {
            long window = i / Timeline.PARTS - WINDOWS_BEFORE_ORIGIN;
            if (segments[i] != null && (found.isEmpty() || found.get(found.size() - 1) != window)) {
                found.add(window);
            }
        }
        return found;
    }

    /** @return the series of a group, or null where this thread met none of it */
    Series series(int group) {
        return group < series.length ? series[group] : null;
    }

    /** @return records that lie before, after or far from the time asked for */
    long outside() {
        return outside;
    }

    /** @return when the last record ended, to within a slot of time [ms since 1970] */
    long lastMs() {
        return Math.max(lastMs, last);
    }

    boolean isExact() {
        return significantBits == Resolution.EXACT;
    }

    private void turnTo(long ms) {
        lastMs = Math.max(lastMs, last);
        long window = timeline.window(ms);
        if (!timeline.contains(ms) || window < -WINDOWS_BEFORE_ORIGIN || window >= MAX_WINDOWS) {
            cells = null;
            low = ms;
            high = ms + 1;
            return;
        }
        turnToSlot(ms);
        int part = timeline.part(ms);
        long start = timeline.windowStart(window);
        low = Math.max(low, Math.max(start, timeline.partStart(part)));
        high = Math.min(high, Math.min(start + timeline.windowMs(), timeline.partEnd(part)));
        segment = index(window, part);
        if (segment >= segments.length) {
            segments = Arrays.copyOf(segments, Math.max(segment + 1, segments.length * 2));
        }
        if (segments[segment] == null) {
            segments[segment] = new Cell[series.length];
        }
        cells = segments[segment];
    }

    private void turnToSlot(long ms) {
        long since = ms - timeline.originMs();
        if (since < 0) {
            slot = 0;
            low = Long.MIN_VALUE;
            high = timeline.originMs();
            return;
        }
        while (since / slotMs >= MAX_SLOTS) {
            slotMs *= 2;
            for (Series each : series) {
                if (each != null) {
                    each.joinPairs();
                }
            }
        }
        slot = (int) (since / slotMs);
        low = timeline.originMs() + slot * slotMs;
        high = low + slotMs;
    }

    private Cell newCell(int group) {
        if (group >= series.length) {
            series = Arrays.copyOf(series, Math.max(group + 1, series.length * 2));
        }
        if (series[group] == null) {
            series[group] = new Series(slotMs);
        }
        if (group >= cells.length) {
            cells = Arrays.copyOf(cells, series.length);
            segments[segment] = cells;
        }
        Cell cell = new Cell();
        cells[group] = cell;
        take(cell.bytes());
        return cell;
    }

    private void take(long taken) {
        bytes += taken;
        if (bytes > budget) {
            pack();
            if (bytes > budget / 2) {
                significantBits = Resolution.COARSE;
                pack();
            }
        }
    }

    private void pack() {
        for (Cell[] stretch : segments) {
            if (stretch != null) {
                for (Cell cell : stretch) {
                    bytes -= cell == null ? 0 : cell.pack(significantBits);
                }
            }
        }
    }

    private int index(long window, int part) {
        return (int) (window + WINDOWS_BEFORE_ORIGIN) * Timeline.PARTS + part;
    }
}
