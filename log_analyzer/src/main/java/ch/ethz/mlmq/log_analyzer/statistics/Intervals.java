package ch.ethz.mlmq.log_analyzer.statistics;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/** Confidence intervals of independent, about normal observations. */
public final class Intervals {
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

    /** Chi-square interval of the standard deviation. */
    public static Interval ofStandardDeviation(double count, double stddev, double confidence) {
        if (count < 2) {
            return Interval.UNKNOWN;
        }
        ChiSquaredDistribution chiSquare = new ChiSquaredDistribution(count - 1);
        double tail = (1 - confidence) / 2;
        double squares = (count - 1) * stddev * stddev;
        return new Interval(Math.sqrt(squares / chiSquare.inverseCumulativeProbability(1 - tail)),
                Math.sqrt(squares / chiSquare.inverseCumulativeProbability(tail)));
    }

    /** @return the two-sided quantile: so many standard errors to either side hold the mean with this confidence */
    public static double quantileT(double degreesOfFreedom, double confidence) {
        return new TDistribution(degreesOfFreedom).inverseCumulativeProbability(1 - (1 - confidence) / 2);
    }
}
