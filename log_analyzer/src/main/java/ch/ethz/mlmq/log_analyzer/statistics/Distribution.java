package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;

/** How often each value [us] occurred: immutable, exact, ascending. */
public final class Distribution {
    public static final Distribution EMPTY = new Builder(0).build();

    private final int[] values;
    private final long[] counts;
    private final long count;
    private final double mean;

    private Distribution(int[] values, long[] counts) {
        this.values = values;
        this.counts = counts;
        long total = 0;
        long sum = 0;
        for (int i = 0; i < values.length; i++) {
            total += counts[i];
            sum += values[i] * counts[i];
        }
        this.count = total;
        this.mean = total == 0 ? Double.NaN : (double) sum / total;
    }

    /** @param values ascending; equal ones beside each other are allowed; @param counts of each; both are kept */
    public static Distribution ascending(int[] values, long[] counts) {
        return new Distribution(values, counts);
    }

    public static Distribution of(int... values) {
        int[] sorted = values.clone();
        Arrays.sort(sorted);
        Builder builder = new Builder(sorted.length);
        for (int value : sorted) {
            builder.add(value, 1);
        }
        return builder.build();
    }

    public long count() {
        return count;
    }

    public double mean() {
        return mean;
    }

    /** @return sample variance (n - 1), NaN below two observations */
    public double variance() {
        if (count < 2) {
            return Double.NaN;
        }
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            double deviation = values[i] - mean;
            squares += deviation * deviation * counts[i];
        }
        return squares / (count - 1);
    }

    public double standardDeviation() {
        return Math.sqrt(variance());
    }

    public int min() {
        return values[0];
    }

    public int max() {
        return values[values.length - 1];
    }

    /**
     * @param percents ascending, 0..100
     * @return for each the smallest value that at least so many per cent of the observations do not exceed
     */
    public int[] percentiles(double... percents) {
        int[] found = new int[percents.length];
        int index = -1;
        long below = 0;
        for (int i = 0; i < percents.length; i++) {
            long rank = Math.max(1, rank(percents[i]));
            while (below < rank) {
                below += counts[++index];
            }
            found[i] = values[index];
        }
        return found;
    }

    public int percentile(double percent) {
        return percentiles(percent)[0];
    }

    /** @return number of distinct values */
    public int distinct() {
        return values.length;
    }

    public int value(int index) {
        return values[index];
    }

    public long countAt(int index) {
        return counts[index];
    }

    /** @return index of the first distinct value that is at least so large; {@link #distinct} where there is none */
    public int indexFrom(double least) {
        int found = Arrays.binarySearch(values, (int) Math.ceil(least));
        return found >= 0 ? found : -found - 1;
    }

    private long rank(double percent) {
        double exact = count * percent / 100;
        long rounded = Math.round(exact);
        // 2.5 % of 40 is 1, although 40 * 2.5 / 100 need not be: what is a whole number but for rounding is one
        return Math.abs(exact - rounded) < 1e-9 * Math.max(1, exact) ? rounded : (long) Math.ceil(exact);
    }

    /** Takes values in ascending order. */
    public static final class Builder {
        private int[] values;
        private long[] counts;
        private int used;

        /** @param capacity distinct values expected at most; more are taken too */
        public Builder(int capacity) {
            values = new int[capacity];
            counts = new long[capacity];
        }

        public void add(int value, long count) {
            if (used > 0 && values[used - 1] == value) {
                counts[used - 1] += count;
                return;
            }
            if (used == values.length) {
                values = Arrays.copyOf(values, Math.max(16, used * 2));
                counts = Arrays.copyOf(counts, values.length);
            }
            values[used] = value;
            counts[used++] = count;
        }

        public Distribution build() {
            return new Distribution(Arrays.copyOf(values, used), Arrays.copyOf(counts, used));
        }
    }
}
