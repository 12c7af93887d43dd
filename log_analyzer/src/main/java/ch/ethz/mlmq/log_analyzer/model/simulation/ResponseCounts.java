package ch.ethz.mlmq.log_analyzer.model.simulation;

import java.util.Arrays;

/** Response times of a simulation, counted with a precision of 0.4 % [s]. */
final class ResponseCounts {
    /** Bits of a double that are dropped. */
    private static final int PRECISION = 44;
    private static final int LOWEST = (int) (Double.doubleToRawLongBits(1e-9) >>> PRECISION);
    private static final int HIGHEST = (int) (Double.doubleToRawLongBits(1e6) >>> PRECISION);

    private final long[] counts = new long[HIGHEST - LOWEST + 1];
    private long measured;
    private double sum;
    private double longest;

    void add(double response) {
        measured++;
        sum += response;
        longest = Math.max(longest, response);
        int cell = (int) (Double.doubleToRawLongBits(response) >>> PRECISION) - LOWEST;
        counts[Math.max(0, Math.min(counts.length - 1, cell))]++;
    }

    void clear() {
        measured = 0;
        sum = 0;
        longest = 0;
        Arrays.fill(counts, 0);
    }

    long measured() {
        return measured;
    }

    double mean() {
        return sum / measured;
    }

    double longest() {
        return longest;
    }

    double percentile(double p) {
        long rank = (long) Math.ceil(p * measured);
        int cell = 0;
        for (long below = counts[0]; below < rank; below += counts[cell]) {
            cell++;
        }
        return Double.longBitsToDouble((long) (cell + LOWEST) << PRECISION | 1L << PRECISION - 1);
    }
}
