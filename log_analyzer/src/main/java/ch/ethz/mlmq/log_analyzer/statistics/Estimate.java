package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;

/**
 * A figure with its precision.
 *
 * @param value            the figure
 * @param error            its standard error, NaN if unknown
 * @param degreesOfFreedom of that error
 * @param doubt            reason for a missing error
 */
public record Estimate(double value, double error, double degreesOfFreedom, Doubt doubt) {
    private static final double USUAL = 0.95;
    private static final double MANY = 1_000; // degrees of freedom

    public Estimate(double value, double error, double degreesOfFreedom) {
        this(value, error, degreesOfFreedom, error >= 0 && degreesOfFreedom > 0 ? Doubt.NONE : Doubt.FEW);
    }

    public static Estimate unknown(double value, Doubt doubt) {
        return new Estimate(value, Double.NaN, 0, doubt);
    }

    /** @return the mean of independent values, e.g. of one figure over the repetitions of a run */
    public static Estimate ofMean(double... values) {
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        if (values.length < 2) {
            return new Estimate(mean, Double.NaN, 0);
        }
        double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
        return new Estimate(mean, Math.sqrt(squares / (values.length - 1) / values.length), values.length - 1);
    }

    /**
     * The mean of independent values that are not known exactly. Two of them may be equal by chance, so its error is
     * at least what theirs come to.
     *
     * @param errors the standard error of each value, or 0
     */
    public static Estimate ofMean(double[] values, double[] errors) {
        Estimate mean = ofMean(values);
        double least = Math.sqrt(Arrays.stream(errors).map(error -> error * error).sum()) / errors.length;
        return mean.withErrorOfAtLeast(least);
    }

    /**
     * The ratio of two sums, from pairs that belong together: a mean as sum over count, a share as part over whole.
     *
     * @param parts  numerator of each pair
     * @param wholes denominator of each pair
     */
    public static Estimate ofRatio(double[] parts, double[] wholes) {
        double whole = Arrays.stream(wholes).sum();
        double ratio = Arrays.stream(parts).sum() / whole;
        int pairs = parts.length;
        if (pairs < 2) {
            return new Estimate(ratio, Double.NaN, 0);
        }
        double squares = 0;
        for (int i = 0; i < pairs; i++) {
            double deviation = parts[i] - ratio * wholes[i];
            squares += deviation * deviation;
        }
        return new Estimate(ratio, Math.sqrt(squares * pairs / (pairs - 1)) / whole, pairs - 1);
    }

    public boolean hasError() {
        return doubt == Doubt.NONE;
    }

    /** @return the same error for a value that is known more precisely */
    public Estimate of(double exact) {
        return new Estimate(exact, error, degreesOfFreedom, doubt);
    }

    /**
     * @param events number that was counted
     * @param of     observations
     * @return the error that their share has at least, if they come one by one: half the width of its exact interval.
     * The changes in time of a share show none where there are no events, or nothing else
     */
    public static double errorOfRare(double events, double of) {
        double fewer = Math.min(events, of - events);
        return (Intervals.upperOfCount(fewer, USUAL) - fewer) / of / Intervals.quantileNormal(USUAL);
    }

    /**
     * @param least an error that comes from a count, and so is known as such
     * @return the same value with an error of at least this, if it has one
     */
    public Estimate withErrorOfCount(double least) {
        return hasError() && least > error ? new Estimate(value, least, MANY) : this;
    }

    private Estimate withErrorOfAtLeast(double least) {
        return hasError() ? new Estimate(value, Math.max(error, least), degreesOfFreedom) : this;
    }

    /** @return for a share: number of independent observations that give an interval of the same width */
    double independent() {
        if (!hasError() || error == 0) {
            return hasError() ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        double width = Intervals.quantileT(degreesOfFreedom, USUAL) / Intervals.quantileNormal(USUAL) * error;
        return value * (1 - value) / (width * width);
    }

    /** @param confidence 0..1 */
    public Interval interval(double confidence) {
        return hasError() ? Interval.around(value, Intervals.quantileT(degreesOfFreedom, confidence) * error)
                : Interval.unknown(doubt);
    }

    /** @return this minus another, by Welch: the two need not have equal variances */
    public Estimate minus(Estimate other) {
        double mine = error * error;
        double theirs = other.error * other.error;
        double variance = mine + theirs;
        double degrees = variance == 0 ? Math.min(degreesOfFreedom, other.degreesOfFreedom)
                : variance * variance / (mine * mine / degreesOfFreedom + theirs * theirs / other.degreesOfFreedom);
        return hasError() && other.hasError() ? new Estimate(value - other.value, Math.sqrt(variance), degrees)
                : unknown(value - other.value, hasError() ? other.doubt : doubt);
    }
}
