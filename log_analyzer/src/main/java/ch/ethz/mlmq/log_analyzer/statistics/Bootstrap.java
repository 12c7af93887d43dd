package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.BetaDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * Computes intervals of quantiles by resampling. The quantile of a resample is an order statistic whose rank follows a
 * beta distribution. So each resample needs one draw instead of one for each observation, with the same result.
 */
public final class Bootstrap {
    private static final int RESAMPLES = 2000;
    private static final int SEED = 20131129;
    private static final double PER_CENT = 100;
    private static final double USUAL = 0.95;
    /**
     * Observations beyond a percentile, on each side, below which there is no interval: with fewer, even the largest
     * is more often than in 2.5 % of the cases below the percentile.
     */
    private static final double FEWEST_BEYOND = -Math.log((1 - USUAL) / 2);

    private Bootstrap() {
    }

    /** Durations of one run. */
    public static final class Sample {
        private final Distribution durations;
        private final Slices slices;
        private final boolean whole;
        private final long[] upTo;

        /**
         * @param slices the same durations in the order of time
         * @param whole  true if all are there: otherwise their information is unknown
         */
        public Sample(Distribution durations, Slices slices, boolean whole) {
            this.durations = durations;
            this.slices = slices;
            this.whole = whole;
            this.upTo = new long[durations.distinct() + (durations.beyond() > 0 ? 1 : 0)];
            long sum = 0;
            for (int i = 0; i < upTo.length; i++) {
                sum += i < durations.distinct() ? durations.countAt(i) : durations.beyond();
                upTo[i] = sum;
            }
        }

        private double value(int index) {
            return index < durations.distinct() ? durations.value(index) : Double.POSITIVE_INFINITY;
        }

        /** @return a percentile with its precision */
        private Quantile at(double percent) {
            if (durations.all() == 0 || !whole) {
                return new Quantile(this, percent / PER_CENT, 0, whole ? Doubt.FEW : Doubt.NOT_LOGGED);
            }
            double rarer = Math.min(percent, PER_CENT - percent) / PER_CENT;
            Estimate upTo = slices.shareUpTo(durations.percentile(percent), rarer);
            Doubt few = durations.effective() * rarer < FEWEST_BEYOND ? Doubt.FEW : upTo.doubt();
            Quantile quantile = new Quantile(this, percent / PER_CENT,
                    Math.min(upTo.independent(), durations.effective()), few);
            return quantile.doubt == Doubt.NONE ? quantile.asUncertainAs(slices.shareUpTo(quantile.upperEnd()))
                    : quantile;
        }
    }

    /**
     * A percentile of a sample.
     *
     * @param share     0..1
     * @param effective equivalent number of independent observations there
     */
    private record Quantile(Sample of, double share, double effective, Doubt doubt) {

        double resampled(RandomGenerator random) {
            return valueAt(rank(random).sample());
        }

        /** @return the upper end of its usual interval [us], {@link Distribution#BEYOND} among failed requests */
        private int upperEnd() {
            return (int) valueAt(rank(null).inverseCumulativeProbability((1 + USUAL) / 2));
        }

        /** Durations beyond the upper end may come in fewer bursts than those beyond the percentile. */
        private Quantile asUncertainAs(Estimate upperEnd) {
            return new Quantile(of, share, upperEnd.hasError() ? Math.min(effective, upperEnd.independent())
                    : effective, doubt);
        }

        /**
         * The share of observations up to the true quantile. Its mean is the share itself: with one more observation
         * beyond, which the rank of an order statistic has, the upper end would lie too low where few are beyond.
         */
        private BetaDistribution rank(RandomGenerator random) {
            return new BetaDistribution(random, effective * share, effective * (1 - share));
        }

        private double valueAt(double rank) {
            int found = Arrays.binarySearch(of.upTo, Math.max(1, (long) Math.ceil(rank * of.durations.all())));
            return of.value(Math.min(of.upTo.length - 1, found >= 0 ? found : -found - 1));
        }
    }

    /**
     * @return the interval of a percentile's difference, later minus earlier; unknown if one run has too few
     * observations
     */
    public static Interval ofDifference(Sample later, Sample earlier, double percent, double confidence) {
        Quantile mine = later.at(percent);
        Quantile theirs = earlier.at(percent);
        Doubt doubt = mine.doubt != Doubt.NONE ? mine.doubt : theirs.doubt;
        return doubt != Doubt.NONE ? Interval.unknown(doubt)
                : middle(random -> mine.resampled(random) - theirs.resampled(random), confidence);
    }

    /** @return the interval of a percentile of one run; unknown if it has too few observations */
    public static Interval of(Sample sample, double percent, double confidence) {
        Quantile quantile = sample.at(percent);
        return quantile.doubt != Doubt.NONE ? Interval.unknown(quantile.doubt)
                : middle(quantile::resampled, confidence);
    }

    /**
     * @return the standard error of a percentile of one run, by the part of its interval below the value, as the part
     *     above it is longer where little is known, and has no end among failed requests; 0 where there is no interval
     */
    public static double errorOf(Sample sample, double percent) {
        Interval interval = of(sample, percent, USUAL);
        double value = sample.durations.percentile(percent);
        return !interval.isKnown() || value == Distribution.BEYOND ? 0
                : (value - interval.low()) / Intervals.quantileNormal(USUAL);
    }

    /** Treats the unknown difference of two values beyond all others as zero. */
    private static double zeroIfNeither(double difference) {
        return Double.isNaN(difference) ? 0 : difference;
    }

    private static Interval middle(ToDoubleFunction<RandomGenerator> draw, double confidence) {
        RandomGenerator random = new Well19937c(SEED);
        double[] values = new double[RESAMPLES];
        Arrays.setAll(values, i -> zeroIfNeither(draw.applyAsDouble(random)));
        return Interval.ofMiddle(confidence, values);
    }
}
