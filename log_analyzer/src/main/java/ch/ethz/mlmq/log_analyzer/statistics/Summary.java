package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import java.util.List;

/**
 * The statistics of some durations, all in us except the count.
 *
 * @param recorded    number of records: less than the count if each stands for several
 * @param stddev      sample standard deviation, NaN below two observations
 * @param median      the smallest value that at least half of the observations do not exceed
 * @param percentiles in the order of the request
 */
public record Summary(long count, long recorded, double mean, double stddev, int median, List<Integer> percentiles,
        Range range) {
    private static final double MEDIAN = 50;

    /** The shortest and the longest duration. */
    public record Range(int min, int max) {
    }

    /** @param percents 0..100, in any order */
    public static Summary of(Distribution durations, double... percents) {
        double[] ascending = Arrays.copyOf(percents, percents.length + 1);
        ascending[percents.length] = MEDIAN;
        Arrays.sort(ascending);
        int[] found = durations.percentiles(ascending);
        List<Integer> asked = Arrays.stream(percents)
                .mapToObj(percent -> found[Arrays.binarySearch(ascending, percent)]).toList();
        return new Summary(durations.count(), durations.recorded(), durations.mean(), durations.standardDeviation(),
                found[Arrays.binarySearch(ascending, MEDIAN)], asked, new Range(durations.min(), durations.max()));
    }
}
