package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;

/**
 * An interval of a parameter at some confidence: both ends in the unit of the measurements, NaN if unknown.
 *
 * @param doubt reason why it is unknown
 */
public record Interval(double low, double high, Doubt doubt) {
    public static final Interval UNKNOWN = unknown(Doubt.FEW);

    public Interval(double low, double high) {
        this(low, high, Doubt.NONE);
    }

    public static Interval unknown(Doubt doubt) {
        return new Interval(Double.NaN, Double.NaN, doubt);
    }

    public static Interval around(double middle, double halfWidth) {
        return new Interval(middle - halfWidth, middle + halfWidth);
    }

    /**
     * @param level 0..1
     * @param drawn many values of the parameter, in any order
     * @return the middle interval with that share of them
     */
    public static Interval ofMiddle(double level, double... drawn) {
        double[] sorted = drawn.clone();
        Arrays.sort(sorted);
        double tail = (1 - level) / 2;
        int last = sorted.length - 1;
        return new Interval(sorted[(int) Math.floor(tail * last)], sorted[(int) Math.ceil((1 - tail) * last)]);
    }

    /** @return the part of it within these limits */
    public Interval within(double from, double to) {
        return new Interval(Math.max(from, low), Math.min(to, high), doubt);
    }

    /** @return the interval with this much more on both sides */
    public Interval widened(double by) {
        return new Interval(low - by, high + by, doubt);
    }

    public boolean isKnown() {
        return doubt == Doubt.NONE;
    }

    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
