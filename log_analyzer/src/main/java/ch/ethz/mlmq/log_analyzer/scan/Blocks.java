package ch.ethz.mlmq.log_analyzer.scan;

import java.util.ArrayList;
import java.util.List;

/**
 * Memory for durations of one thread: blocks that a cell gave back are used again, so that nobody has to collect them.
 */
final class Blocks {
    /** Durations in a block. */
    static final int LENGTH = 4096;

    private final List<int[]> spare = new ArrayList<>();

    int[] take() {
        return spare.isEmpty() ? new int[LENGTH] : spare.remove(spare.size() - 1);
    }

    void giveBack(List<int[]> blocks) {
        spare.addAll(blocks);
    }

    /** Keeps no more bytes ready than that. */
    void keepAtMost(long bytes) {
        int kept = (int) Math.max(0, bytes / (LENGTH * Integer.BYTES));
        if (kept < spare.size()) {
            spare.subList(kept, spare.size()).clear();
        }
    }
}
