package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Series;

/**
 * Where a thread puts the durations of one group: the open block of the group's cell in the present stretch of time.
 * A lane without a cell has no room, so that the check for room finds that out too.
 */
final class Lane {
    private static final int[] NO_ROOM = new int[0];

    private final int group;
    private final Series series;
    private Cell cell;
    private int[] block = NO_ROOM;
    private int used;
    private int seen;
    private long sum;

    Lane(int group, Series series) {
        this.group = group;
        this.series = series;
    }

    int group() {
        return group;
    }

    boolean hasRoom() {
        return used < block.length;
    }

    /** @return whether nothing was put since the last {@link #closeSlot} */
    boolean isIdle() {
        return used == seen;
    }

    void put(int duration) {
        block[used++] = duration;
        sum += duration;
    }

    /** Adds what was put since the last time to the series. */
    void closeSlot(int slot) {
        series.add(slot, sum, used - seen);
        sum = 0;
        seen = used;
    }

    void joinSlots() {
        series.joinPairs();
    }

    boolean isBound() {
        return cell != null;
    }

    /** Puts into this cell from now on. */
    void bind(Cell to) {
        cell = to;
        block = to.block();
        used = to.used();
        seen = used;
    }

    /** Gives the cell back; there is no room afterwards. */
    void unbind() {
        cell.used(used);
        cell = null;
        block = NO_ROOM;
        used = 0;
        seen = 0;
    }

    /** Makes room in the cell. @return bytes of memory newly taken */
    int grow() {
        int idle = used - seen;
        cell.used(used);
        int taken = cell.makeRoom();
        block = cell.block();
        used = cell.used();
        seen = used - idle;
        return taken;
    }

    Series series() {
        return series;
    }
}
