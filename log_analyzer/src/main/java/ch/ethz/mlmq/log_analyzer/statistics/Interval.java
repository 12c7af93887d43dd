package ch.ethz.mlmq.log_analyzer.statistics;

/** Where a parameter lies with some confidence: both ends in the unit of what was measured, NaN where unknown. */
public record Interval(double low, double high) {
    public static final Interval UNKNOWN = new Interval(Double.NaN, Double.NaN);

    public static Interval around(double middle, double halfWidth) {
        return new Interval(middle - halfWidth, middle + halfWidth);
    }

    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
