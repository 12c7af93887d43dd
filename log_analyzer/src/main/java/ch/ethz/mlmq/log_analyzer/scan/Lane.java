package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Series;

/**
 * Stores durations of one group for a thread: in the open block of the group's cell for the current part of the time,
 * and in its series. A lane without a cell has no room, so that the check for room covers that case too.
 */
final class Lane {
    private static final int[] NO_ROOM = new int[0];

    private final int group;
    private final Series series;
    private long[] totals;
    private Cell cell;
    private int[] block = NO_ROOM;
    private int used;

    Lane(int group, Series series) {
        this.group = group;
        this.series = series;
        this.totals = series.totals(0);
    }

    int group() {
        return group;
    }

    /** @param slot of the series, the last that is needed */
    boolean hasRoom(int slot) {
        return used < block.length && Series.OF_A_SLOT * slot < totals.length;
    }

    /** @param began slot of the series in which it began; @param ended slot in which it ended */
    void put(int duration, int began, int ended) {
        block[used++] = duration;
        totals[Series.OF_A_SLOT * began] += duration;
        totals[Series.OF_A_SLOT * began + 1]++;
        totals[Series.OF_A_SLOT * ended + 2]++;
    }

    void joinSlots() {
        series.joinPairs();
        totals = series.totals(0);
    }

    boolean isBound() {
        return cell != null;
    }

    /** Uses this cell from now on. */
    void bind(Cell to) {
        cell = to;
        block = to.block();
        used = to.used();
    }

    /** Releases the cell; there is no room afterwards. */
    void unbind() {
        cell.used(used);
        cell = null;
        block = NO_ROOM;
        used = 0;
    }

    /** Makes room in the cell and in the series. @return bytes of memory newly taken */
    int grow(int slot, Blocks blocks) {
        totals = series.totals(slot);
        if (used < block.length) {
            return 0;
        }
        cell.used(used);
        int taken = cell.makeRoom(blocks);
        block = cell.block();
        used = cell.used();
        return taken;
    }

    Series series() {
        return series;
    }
}
