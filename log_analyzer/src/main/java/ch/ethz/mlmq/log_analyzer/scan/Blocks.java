package ch.ethz.mlmq.log_analyzer.scan;

import java.util.ArrayList;
import java.util.List;

/** A pool of blocks for durations of one thread. Released blocks are reused, which saves garbage collection. */
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

    /** Limits the bytes of pooled blocks. */
    void keepAtMost(long bytes) {
        int kept = (int) Math.max(0, bytes / (LENGTH * Integer.BYTES));
        if (kept < spare.size()) {
            spare.subList(kept, spare.size()).clear();
        }
    }
}
