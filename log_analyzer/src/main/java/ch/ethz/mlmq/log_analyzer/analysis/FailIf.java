package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.vocabulary.Condition;
import ch.ethz.mlmq.log_analyzer.vocabulary.Judge;

/**
 * A limit for a comparison: {@code p99 > +10 %} or {@code throughput < -5 %} against the baseline, {@code errors > 1 %}
 * and {@code mean > 20 ms} (without a sign) for the figure itself.
 *
 * @param condition the comparison fails if it is true
 * @param metric    figure of the condition
 */
public record FailIf(Condition condition, Metric metric) {
    private static final double ALL = 100; // per cent

    public static FailIf parse(String text) {
        try {
            Condition condition = Condition.parse(text, Judge.COMPARISON);
            return new FailIf(condition, Metric.named(condition.figure().name()));
        } catch (IllegalArgumentException e) {
            throw new UsageException("'" + text + "' " + e.getMessage() + ".");
        }
    }

    /** @return the limit as it was written */
    public String text() {
        return condition.text();
    }

    /** The outcome of a limit. */
    public enum Outcome {
        KEPT, BROKEN, UNTOLD
    }

    /**
     * Applies the limit. A change within noise breaks no limit; a missing figure breaks every limit. Without an
     * interval it is unknown whether a change beyond the limit is more than noise.
     */
    public Outcome outcome(Comparison.Difference difference) {
        double figure = condition.change() ? difference.percent() : difference.value();
        if (condition.change() && condition.relation().isAbove() && Double.isInfinite(difference.baseline())
                && !Double.isNaN(difference.value())) {
            // If both percentiles lie among failed requests, it may have risen.
            return Double.isFinite(difference.value()) || difference.verdict() == Comparison.Verdict.NOISE
                    ? Outcome.KEPT : Outcome.UNTOLD;
        }
        if (Double.isNaN(figure)) {
            return Outcome.BROKEN;
        }
        if (!condition.holds(figure) || condition.change() && difference.verdict() == Comparison.Verdict.NOISE) {
            return Outcome.KEPT;
        }
        boolean untold = difference.verdict() == Comparison.Verdict.UNKNOWN && !nothingSucceeded(difference);
        return condition.change() && untold ? Outcome.UNTOLD : Outcome.BROKEN;
    }

    private static boolean nothingSucceeded(Comparison.Difference difference) {
        return Double.isInfinite(difference.value())
                || difference.metric() instanceof Metric.Errors && difference.value() == ALL;
    }
}
