package ch.ethz.mlmq.log_analyzer.statistics;

/**
 * Where a parameter lies with some confidence: both ends in the unit of what was measured, NaN where unknown.
 *
 * @param doubt why it is unknown
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

    public boolean isKnown() {
        return doubt == Doubt.NONE;
    }

    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
