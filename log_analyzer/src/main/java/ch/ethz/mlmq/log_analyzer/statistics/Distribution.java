package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;

/**
 * Frequencies of values [us]: immutable, exact, ascending.
 *
 * <p>If only every n-th observation was recorded, each record counts n times. The information is then that of as many
 * {@link #effective} observations as were recorded, or fewer if some of them count more than others.
 */
public final class Distribution {
    /** A percentile among observations that are known only to be longer than any other. */
    public static final int BEYOND = Integer.MAX_VALUE;
    public static final Distribution EMPTY = new Builder(0).build();

    private final int[] values;
    private final long[] counts;
    private final long count;
    private final long recorded;
    /** The sum of the squares of all records' weights. */
    private final double squaredWeights;
    private final double mean;
    private final long beyond;

    private Distribution(int[] values, long[] counts, long repeated, double addedSquares, long beyond) {
        this.values = values;
        this.counts = counts;
        long total = 0;
        long sum = 0;
        for (int i = 0; i < values.length; i++) {
            total += counts[i];
            sum += values[i] * counts[i];
        }
        this.beyond = beyond;
        this.count = total;
        this.recorded = total - repeated;
        this.squaredWeights = total + addedSquares;
        this.mean = total == 0 ? Double.NaN : (double) sum / total;
    }

    /** @param values ascending; equal ones beside each other are allowed; @param counts of each; both are kept */
    public static Distribution ascending(int[] values, long[] counts) {
        return ascending(values, counts, 0, 0);
    }

    /**
     * Makes a distribution in which some records were counted several times.
     *
     * @param repeated     sum of counts minus number of records
     * @param addedSquares sum of squared weights minus sum of counts
     */
    public static Distribution ascending(int[] values, long[] counts, long repeated, double addedSquares) {
        return new Distribution(values, counts, repeated, addedSquares, 0);
    }

    /**
     * @param more number of observations longer than all others by an unknown amount: requests that failed. They count
     * only in percentiles and in {@link #all}
     */
    public Distribution withBeyond(long more) {
        return more == 0 ? this : new Distribution(values, counts, count - recorded, squaredWeights - count,
                beyond + more);
    }

    /** @return observations that are longer than all others */
    public long beyond() {
        return beyond;
    }

    /** @return observations, with those beyond all others */
    public long all() {
        return count + beyond;
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

    /** @return number of recorded observations: less than {@link #count} if each stands for several */
    public long recorded() {
        return recorded;
    }

    /** @return sum of squared weights minus sum of counts; 0 if each counts once */
    public double addedSquares() {
        return squaredWeights - count;
    }

    /**
     * @return equivalent number of independent records of equal weight: the square of the sum over the sum of squares,
     * including those beyond all others
     */
    public double effective() {
        return count == 0 ? beyond : all() / (squaredWeights / count);
    }

    /** @return the same with each record counted so many times */
    public Distribution times(int weight) {
        if (weight == 1) {
            return this;
        }
        long[] more = Arrays.stream(counts).map(each -> each * weight).toArray();
        return new Distribution(values, more, count * weight - recorded,
                squaredWeights * weight * weight - count * (double) weight, beyond * weight);
    }

    public double mean() {
        return mean;
    }

    /** @return sample variance (n - 1, of what was recorded), NaN below two observations */
    public double variance() {
        if (recorded < 2) {
            return Double.NaN;
        }
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            double deviation = values[i] - mean;
            squares += deviation * deviation * counts[i];
        }
        return squares / (count - squaredWeights / count);
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
     * @return for each the smallest value that at least that many per cent of the observations do not exceed;
     * {@link #BEYOND} if that is none of the values
     */
    public int[] percentiles(double... percents) {
        int[] found = new int[percents.length];
        int index = -1;
        long below = 0;
        for (int i = 0; i < percents.length; i++) {
            long rank = Math.max(1, rank(percents[i]));
            if (rank > count) {
                found[i] = BEYOND;
                continue;
            }
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

    /** @return index of the first distinct value that is at least that large; {@link #distinct} if there is none */
    public int indexFrom(double least) {
        int found = Arrays.binarySearch(values, (int) Math.ceil(least));
        return found >= 0 ? found : -found - 1;
    }

    private long rank(double percent) {
        double exact = all() * percent / 100;
        long rounded = Math.round(exact);
        // Rounds numbers that are whole except for rounding errors: 2.5 % of 40 is 1, although 40 * 2.5 / 100 need not
        // be.
        return Math.abs(exact - rounded) < 1e-9 * Math.max(1, exact) ? rounded : (long) Math.ceil(exact);
    }

    /** @return the observations of both together */
    public Distribution plus(Distribution other) {
        Builder sum = new Builder(values.length + other.values.length);
        int theirs = 0;
        for (int i = 0; i < values.length; i++) {
            for (; theirs < other.values.length && other.values[theirs] <= values[i]; theirs++) {
                sum.add(other.values[theirs], other.counts[theirs]);
            }
            sum.add(values[i], counts[i]);
        }
        for (; theirs < other.values.length; theirs++) {
            sum.add(other.values[theirs], other.counts[theirs]);
        }
        Distribution both = sum.build();
        return ascending(both.values, both.counts, both.count - recorded - other.recorded,
                addedSquares() + other.addedSquares()).withBeyond(beyond + other.beyond);
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
            return ascending(Arrays.copyOf(values, used), Arrays.copyOf(counts, used));
        }
    }
}
