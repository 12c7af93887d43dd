package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.distribution.BetaDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * Intervals of quantiles by resampling. The quantile of a resample is an order statistic whose rank follows a beta
 * distribution, so each resample costs one draw and not one for each observation: the result is the same.
 */
public final class Bootstrap {
    private static final int RESAMPLES = 2000;
    private static final int SEED = 20131129;
    /** Fewest observations to think of, however strongly they depend on one another. */
    private static final double FEWEST = 20;

    private Bootstrap() {
    }

    /** Durations of one run. */
    public static final class Sample {
        private final Distribution durations;
        private final double effective;
        private final long[] upTo;

        /** @param effective how many independent observations the durations are worth */
        public Sample(Distribution durations, double effective) {
            this.durations = durations;
            this.effective = Math.max(FEWEST, Math.min(effective, durations.count()));
            this.upTo = new long[durations.distinct()];
            long sum = 0;
            for (int i = 0; i < upTo.length; i++) {
                sum += durations.countAt(i);
                upTo[i] = sum;
            }
        }

        private double resampled(double percent, RandomGenerator random) {
            double rank = Math.max(1, Math.min(effective, Math.ceil(effective * percent / 100)));
            double share = new BetaDistribution(random, rank, effective - rank + 1).sample();
            int found = Arrays.binarySearch(upTo, Math.max(1, (long) Math.ceil(share * durations.count())));
            return durations.value(Math.min(upTo.length - 1, found >= 0 ? found : -found - 1));
        }
    }

    /** @return the difference of a percentile, averaged over the repetitions of each group: later less earlier */
    public static Interval ofDifference(List<Sample> later, List<Sample> earlier, double percent, double confidence) {
        RandomGenerator random = new Well19937c(SEED);
        double[] differences = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            differences[i] = resampled(later, percent, random) - resampled(earlier, percent, random);
        }
        return middle(differences, confidence);
    }

    /** @return a percentile, averaged over the repetitions of a group */
    public static Interval of(List<Sample> group, double percent, double confidence) {
        RandomGenerator random = new Well19937c(SEED);
        double[] values = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            values[i] = resampled(group, percent, random);
        }
        return middle(values, confidence);
    }

    private static double resampled(List<Sample> group, double percent, RandomGenerator random) {
        double sum = 0;
        for (int i = 0; i < group.size(); i++) {
            sum += group.get(random.nextInt(group.size())).resampled(percent, random);
        }
        return sum / group.size();
    }

    private static Interval middle(double[] values, double confidence) {
        Arrays.sort(values);
        double tail = (1 - confidence) / 2;
        int last = values.length - 1;
        return new Interval(values[(int) Math.floor(tail * last)], values[(int) Math.ceil((1 - tail) * last)]);
    }
}
