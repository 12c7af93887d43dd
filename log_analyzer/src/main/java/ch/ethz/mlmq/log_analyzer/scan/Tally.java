package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.util.Arrays;

/**
 * Counts durations: in an array by value where they are small and many, by sorting the others. One is used again and
 * again for one cell after the other; {@link #take} empties it.
 */
final class Tally {
    private static final int DENSE = 1 << 16;
    private static final int WORTH_COUNTING = 512;
    private static final int COUNT_BITS = 32;

    private final long[] dense;
    private int denseLow = Integer.MAX_VALUE;
    private int denseHigh = -1;
    private long[] rest = new long[1024];
    private int restUsed;

    Tally() {
        this(DENSE);
    }

    /** @param denseLimit values below are counted in an array [us] */
    Tally(int denseLimit) {
        dense = new long[denseLimit];
    }

    void add(int[] values, int length) {
        if (length < WORTH_COUNTING) {
            for (int i = 0; i < length; i++) {
                addRest(values[i], 1);
            }
            return;
        }
        long[] counts = dense;
        int low = denseLow;
        int high = denseHigh;
        for (int i = 0; i < length; i++) {
            int value = values[i];
            if (value < counts.length) {
                counts[value]++;
                low = Math.min(low, value);
                high = Math.max(high, value);
            } else {
                addRest(value, 1);
            }
        }
        denseLow = low;
        denseHigh = high;
    }

    void add(int value, long count) {
        if (value < dense.length) {
            dense[value] += count;
            denseLow = Math.min(denseLow, value);
            denseHigh = Math.max(denseHigh, value);
        } else {
            for (long left = count; left > 0; left -= Integer.MAX_VALUE) {
                addRest(value, (int) Math.min(left, Integer.MAX_VALUE));
            }
        }
    }

    void add(Distribution distribution) {
        for (int i = 0; i < distribution.distinct(); i++) {
            add(distribution.value(i), distribution.countAt(i));
        }
    }

    /** @return all that was added; the tally is empty afterwards */
    Distribution take() {
        Arrays.sort(rest, 0, restUsed);
        Distribution.Builder builder = new Distribution.Builder(restUsed + Math.max(0, denseHigh - denseLow + 1));
        int next = 0;
        for (int value = denseLow; value <= denseHigh; value++) {
            for (; next < restUsed && valueOf(rest[next]) < value; next++) {
                builder.add(valueOf(rest[next]), countOf(rest[next]));
            }
            if (dense[value] != 0) {
                builder.add(value, dense[value]);
                dense[value] = 0;
            }
        }
        for (; next < restUsed; next++) {
            builder.add(valueOf(rest[next]), countOf(rest[next]));
        }
        restUsed = 0;
        denseLow = Integer.MAX_VALUE;
        denseHigh = -1;
        return builder.build();
    }

    private void addRest(int value, int count) {
        if (restUsed == rest.length) {
            compactRest();
        }
        rest[restUsed++] = (long) value << COUNT_BITS | count;
    }

    /** Joins equal values before it asks for more memory: durations repeat. */
    private void compactRest() {
        Arrays.sort(rest);
        int kept = 0;
        for (int i = 1; i < rest.length; i++) {
            long count = countOf(rest[kept]) + countOf(rest[i]);
            if (valueOf(rest[i]) == valueOf(rest[kept]) && count <= Integer.MAX_VALUE) {
                rest[kept] = (long) valueOf(rest[i]) << COUNT_BITS | count;
            } else {
                rest[++kept] = rest[i];
            }
        }
        restUsed = kept + 1;
        if (restUsed > rest.length / 2) {
            rest = Arrays.copyOf(rest, rest.length * 2);
        }
    }

    private static int valueOf(long entry) {
        return (int) (entry >>> COUNT_BITS);
    }

    private static long countOf(long entry) {
        return entry & 0xffffffffL;
    }
}
