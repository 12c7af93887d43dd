package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.util.Arrays;

/**
 * Counts durations: small ones in an array by value, the others by sorting. It is reused for one cell after the other;
 * {@link #take} empties it.
 *
 * <p>Its loops have no branches on data: they run once over millions of values, before branches can be predicted.
 */
final class Tally {
    private static final int DENSE = 1 << 16;
    private static final int COUNT_BITS = 32;
    private static final int CHUNK_BITS = 6;
    private static final int CHUNK = 1 << CHUNK_BITS;

    /** The last element counts all values that are not small. */
    private final long[] dense;
    private final int limit;
    /** The used parts of the array, so that the rest need not be read. */
    private final boolean[] touched;
    private long[] rest = new long[64];
    private int restUsed;
    private int[] values = new int[64];
    private long[] counts = new long[64];
    private long repeated;
    private double addedSquares;

    Tally() {
        this(DENSE);
    }

    /** @param limit values below are counted in an array [us] */
    Tally(int limit) {
        this.limit = limit;
        dense = new long[limit + CHUNK];
        touched = new boolean[limit / CHUNK + 1];
    }

    void add(int[] durations, int length) {
        for (int i = 0; i < length; i++) {
            int value = Math.min(durations[i], limit);
            dense[value]++;
            touched[value >>> CHUNK_BITS] = true;
        }
        if (dense[limit] > 0) {
            addLarge(durations, length);
        }
    }

    void add(int value, long count) {
        if (value < limit) {
            dense[value] += count;
            touched[value >>> CHUNK_BITS] = true;
        } else {
            addRest(value, count);
        }
    }

    void add(Distribution distribution) {
        for (int i = 0; i < distribution.distinct(); i++) {
            add(distribution.value(i), distribution.countAt(i));
        }
        repeated += distribution.count() - distribution.recorded();
        addedSquares += distribution.addedSquares();
    }

    /** @return all that was added; the tally is empty afterwards */
    Distribution take() {
        int used = gather();
        Distribution taken = Distribution.ascending(Arrays.copyOf(values, used), Arrays.copyOf(counts, used), repeated,
                addedSquares);
        repeated = 0;
        addedSquares = 0;
        return taken;
    }

    /** @return the same in compressed form, for records that count once each */
    PackedCounts takePacked(int significantBits) {
        int used = gather();
        return PackedCounts.of(values, counts, used, significantBits);
    }

    /** @return number of distinct values in {@link #values} and {@link #counts} */
    private int gather() {
        compactRest();
        int used = 0;
        for (int chunk = 0; chunk < touched.length - 1; chunk++) {
            if (touched[chunk]) {
                used = takeChunk(chunk, used);
            }
        }
        Arrays.fill(touched, false);
        makeRoom(used + restUsed);
        for (int i = 0; i < restUsed; i++) {
            values[used] = valueOf(rest[i]);
            counts[used++] = countOf(rest[i]);
        }
        restUsed = 0;
        return used;
    }

    /** @param used number of distinct values so far @return their number with those of this chunk */
    private int takeChunk(int chunk, int used) {
        makeRoom(used + CHUNK);
        int found = used;
        int from = chunk << CHUNK_BITS;
        for (int value = from; value < from + CHUNK; value++) {
            long count = dense[value];
            values[found] = value;
            counts[found] = count;
            dense[value] = 0;
            found += (int) (-count >>> Long.SIZE - 1);
        }
        return found;
    }

    private void makeRoom(int distinct) {
        if (values.length < distinct) {
            values = Arrays.copyOf(values, 2 * distinct);
            counts = Arrays.copyOf(counts, 2 * distinct);
        }
    }

    private void addLarge(int[] durations, int length) {
        for (int i = 0; i < length; i++) {
            if (durations[i] >= limit) {
                addRest(durations[i], 1);
            }
        }
        dense[limit] = 0;
    }

    private void addRest(int value, long count) {
        for (long left = count; left > 0; left -= Integer.MAX_VALUE) {
            if (restUsed == rest.length) {
                compactRest();
                rest = restUsed > rest.length / 2 ? Arrays.copyOf(rest, rest.length * 2) : rest;
            }
            rest[restUsed++] = (long) value << COUNT_BITS | Math.min(left, Integer.MAX_VALUE);
        }
    }

    /** Sorts, and joins equal values: durations repeat. */
    private void compactRest() {
        Arrays.sort(rest, 0, restUsed);
        int kept = 0;
        for (int i = 1; i < restUsed; i++) {
            long count = countOf(rest[kept]) + countOf(rest[i]);
            if (valueOf(rest[i]) == valueOf(rest[kept]) && count <= Integer.MAX_VALUE) {
                rest[kept] = (long) valueOf(rest[i]) << COUNT_BITS | count;
            } else {
                rest[++kept] = rest[i];
            }
        }
        restUsed = Math.min(restUsed, kept + 1);
    }

    private static int valueOf(long entry) {
        return (int) (entry >>> COUNT_BITS);
    }

    private static long countOf(long entry) {
        return entry & 0xffffffffL;
    }
}
