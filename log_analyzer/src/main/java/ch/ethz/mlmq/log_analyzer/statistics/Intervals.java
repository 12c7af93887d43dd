package ch.ethz.mlmq.log_analyzer.statistics;

import org.apache.commons.math3.distribution.GammaDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/** Confidence intervals of independent, about normal observations. */
public final class Intervals {
    private static final NormalDistribution NORMAL = new NormalDistribution();

    private Intervals() {
    }

    /**
     * Student's t interval of the mean.
     *
     * @param count      of the observations, as many as they are worth
     * @param stddev     sample standard deviation
     * @param confidence 0..1, e.g. 0.95
     */
    public static Interval ofMean(double count, double mean, double stddev, double confidence) {
        if (count < 2) {
            return Interval.UNKNOWN;
        }
        return Interval.around(mean, quantileT(count - 1, confidence) * stddev / Math.sqrt(count));
    }

    /**
     * @return the two-sided quantile: that many standard errors to either side contain the mean with this confidence
     */
    public static double quantileT(double degreesOfFreedom, double confidence) {
        return new TDistribution(degreesOfFreedom).inverseCumulativeProbability(1 - (1 - confidence) / 2);
    }

    /**
     * @param events number of rare events that were counted, 0 or more
     * @return upper end of the exact two-sided interval of their expected number (F. Garwood, <i>Fiducial Limits for
     * the Poisson Distribution</i>, Biometrika 28, 1936)
     */
    static double upperOfCount(double events, double confidence) {
        return new GammaDistribution(events + 1, 1).inverseCumulativeProbability(1 - (1 - confidence) / 2);
    }

    /** @return {@link #quantileT} of the normal distribution */
    static double quantileNormal(double confidence) {
        return NORMAL.inverseCumulativeProbability(1 - (1 - confidence) / 2);
    }

    /**
     * @return the difference, in half widths of an interval, that the interval distinguishes from 0 with this
     * probability (0..1)
     */
    public static double seenBeyond(double confidence, double power) {
        return 1 + NORMAL.inverseCumulativeProbability(power) / quantileNormal(confidence);
    }
}
