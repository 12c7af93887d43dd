package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
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
    /** Independent observations beyond a percentile, on each side, below which there is no interval. */
    private static final double FEWEST_BEYOND = 3;
    private static final double PER_CENT = 100;

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
            this.effective = Math.min(effective, durations.count());
            this.upTo = new long[durations.distinct()];
            long sum = 0;
            for (int i = 0; i < upTo.length; i++) {
                sum += durations.countAt(i);
                upTo[i] = sum;
            }
        }

        private boolean tells(double percent) {
            return effective * Math.min(percent, PER_CENT - percent) / PER_CENT >= FEWEST_BEYOND;
        }

        private double resampled(double percent, RandomGenerator random) {
            double rank = Math.max(1, Math.min(effective, Math.ceil(effective * percent / PER_CENT)));
            double share = new BetaDistribution(random, rank, effective - rank + 1).sample();
            int found = Arrays.binarySearch(upTo, Math.max(1, (long) Math.ceil(share * durations.count())));
            return durations.value(Math.min(upTo.length - 1, found >= 0 ? found : -found - 1));
        }
    }

    /** @return the difference of a percentile, later less earlier; unknown where one run has too few observations */
    public static Interval ofDifference(Sample later, Sample earlier, double percent, double confidence) {
        if (!later.tells(percent) || !earlier.tells(percent)) {
            return Interval.UNKNOWN;
        }
        RandomGenerator random = new Well19937c(SEED);
        double[] differences = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            differences[i] = later.resampled(percent, random) - earlier.resampled(percent, random);
        }
        return middle(differences, confidence);
    }

    /** @return a percentile of one run; unknown where it has too few observations */
    public static Interval of(Sample sample, double percent, double confidence) {
        if (!sample.tells(percent)) {
            return Interval.UNKNOWN;
        }
        RandomGenerator random = new Well19937c(SEED);
        double[] values = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            values[i] = sample.resampled(percent, random);
        }
        return middle(values, confidence);
    }

    private static Interval middle(double[] values, double confidence) {
        Arrays.sort(values);
        double tail = (1 - confidence) / 2;
        int last = values.length - 1;
        return new Interval(values[(int) Math.floor(tail * last)], values[(int) Math.ceil((1 - tail) * last)]);
    }
}
