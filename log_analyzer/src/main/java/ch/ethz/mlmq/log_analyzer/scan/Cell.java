package ch.ethz.mlmq.log_analyzer.scan;

import java.util.ArrayList;
import java.util.List;

/**
 * The durations of one group in one part of the time, stored as they come and counted at the end. They are exact at
 * four bytes each, and smaller once {@link #pack packed}.
 */
final class Cell {
    private static final int[] EMPTY = new int[0];
    private static final int FIRST = 16;
    private static final int GROWTH = 4;

    private int[] block = new int[FIRST];
    private int used;
    private List<int[]> full = List.of();
    private PackedCounts packed = PackedCounts.NONE;

    /** @return the block for the next durations, from index {@link #used()} */
    int[] block() {
        return block;
    }

    int used() {
        return used;
    }

    void used(int length) {
        used = length;
    }

    /** Makes room when the block is full. @return bytes of additional memory */
    int makeRoom(Blocks blocks) {
        if (block.length < Blocks.LENGTH) {
            int before = block.length;
            block = copyOf(block, before * GROWTH < Blocks.LENGTH ? new int[before * GROWTH] : blocks.take());
            return (block.length - before) * Integer.BYTES;
        }
        if (full.isEmpty()) {
            full = new ArrayList<>();
        }
        full.add(block);
        block = blocks.take();
        used = 0;
        return block.length * Integer.BYTES;
    }

    /** Counts and compresses the durations. @return bytes of released memory (negative for additional memory) */
    long pack(Tally tally, int significantBits, Blocks blocks) {
        long before = bytes();
        List<int[]> unused = full;
        int[] open = block;
        drainTo(tally);
        blocks.giveBack(unused);
        if (open.length == Blocks.LENGTH) {
            blocks.giveBack(List.of(open));
        }
        packed = tally.takePacked(significantBits);
        block = new int[FIRST];
        return before - bytes();
    }

    /** Passes everything on; the cell is empty afterwards. */
    void drainTo(Tally tally) {
        packed.addTo(tally);
        for (int[] values : full) {
            tally.add(values, values.length);
        }
        tally.add(block, used);
        packed = PackedCounts.NONE;
        full = List.of();
        block = EMPTY;
        used = 0;
    }

    long bytes() {
        return (block.length + (long) full.size() * Blocks.LENGTH) * Integer.BYTES + packed.bytes();
    }

    private static int[] copyOf(int[] from, int[] to) {
        System.arraycopy(from, 0, to, 0, from.length);
        return to;
    }
}
