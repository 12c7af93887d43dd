package ch.ethz.mlmq.log_analyzer.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The durations of one group in one stretch of time, kept as they came and counted at the end: that keeps them exact
 * at four bytes each, and less once {@link #pack packed}.
 */
final class Cell {
    private static final int[] EMPTY = new int[0];
    private static final int FIRST = 16;
    private static final int BLOCK = 4096;
    private static final int GROWTH = 4;

    private int[] block = new int[FIRST];
    private int used;
    private List<int[]> full = List.of();
    private PackedCounts packed = PackedCounts.NONE;

    /** @return where the next durations go, from index {@link #used()} */
    int[] block() {
        return block;
    }

    int used() {
        return used;
    }

    void used(int length) {
        used = length;
    }

    /** To be called when the block is full. @return bytes of memory newly taken */
    int makeRoom() {
        if (block.length < BLOCK) {
            int before = block.length;
            block = Arrays.copyOf(block, before * GROWTH);
            return (block.length - before) * Integer.BYTES;
        }
        if (full.isEmpty()) {
            full = new ArrayList<>();
        }
        full.add(block);
        block = new int[BLOCK];
        used = 0;
        return BLOCK * Integer.BYTES;
    }

    /** Counts and compresses what is there. @return bytes of memory given back (or taken, where negative) */
    long pack(Tally tally, int significantBits) {
        long before = bytes();
        drainTo(tally);
        packed = PackedCounts.of(tally.take(), significantBits);
        block = new int[FIRST];
        return before - bytes();
    }

    /** Hands everything over; the cell is empty afterwards. */
    void drainTo(Tally tally) {
        packed.addTo(tally);
        for (int[] values : full) {
            tally.add(values, BLOCK);
        }
        tally.add(block, used);
        packed = PackedCounts.NONE;
        full = List.of();
        block = EMPTY;
        used = 0;
    }

    long bytes() {
        return (block.length + (long) full.size() * BLOCK) * Integer.BYTES + packed.bytes();
    }
}
