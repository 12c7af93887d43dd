package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;

/**
 * The mean of observations that depend on their predecessors, as response times do: long batches of them are nearly
 * independent, so the error comes from the means of batches.
 */
public final class BatchMeans {
    /** Enough degrees of freedom, and batches still long. */
    public static final int BATCHES = 20;
    private static final int FEWEST = 5;

    private BatchMeans() {
    }

    /** @param observations in order; a remainder that fills no batch is left out at the beginning */
    public static Estimate of(double[] observations, int batches) {
        int length = observations.length / batches;
        int start = observations.length - length * batches;
        double[] means = new double[batches];
        for (int i = 0; i < batches; i++) {
            int from = start + i * length;
            means[i] = Arrays.stream(observations, from, from + length).average().orElse(Double.NaN);
        }
        return Estimate.ofMean(means);
    }

    /**
     * The mean duration in a stretch of time, in batches of equal time; without an error where most of them are empty.
     *
     * @param from first slot; @param to slot behind the last
     */
    public static Estimate ofDurations(Series series, int from, int to) {
        double[] counts = batches(series, from, to, false);
        Estimate mean = Estimate.ofRatio(batches(series, from, to, true), counts);
        boolean enough = Arrays.stream(counts).filter(count -> count > 0).count() >= FEWEST;
        return enough ? mean : new Estimate(mean.value(), Double.NaN, 0);
    }

    /** The number of durations a second in a stretch of time. */
    public static Estimate ofThroughput(Series series, int from, int to) {
        double[] counts = batches(series, from, to, false);
        double seconds = Math.max(1, to - from) / counts.length * series.slotMs() / 1000.0;
        return Estimate.ofMean(Arrays.stream(counts).map(count -> count / seconds).toArray());
    }

    /** @return number of durations in each batch of equal time; a remainder is left out at the beginning */
    public static double[] counts(Series series, int from, int to) {
        return batches(series, from, to, false);
    }

    private static double[] batches(Series series, int from, int to, boolean durations) {
        int slots = Math.max(1, to - from);
        int batches = slots >= BATCHES ? BATCHES : slots >= FEWEST ? slots : 1;
        int length = slots / batches;
        int start = Math.max(from, to - batches * length);
        double[] sums = new double[batches];
        for (int slot = start; slot < Math.min(to, series.slots()); slot++) {
            sums[(slot - start) / length] += durations ? series.sum(slot) : series.count(slot);
        }
        return sums;
    }
}
