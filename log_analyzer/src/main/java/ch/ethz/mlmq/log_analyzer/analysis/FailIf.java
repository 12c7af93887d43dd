package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.vocabulary.Condition;
import ch.ethz.mlmq.log_analyzer.vocabulary.Judge;

/**
 * A limit for a comparison: {@code p99 > +10 %} or {@code throughput < -5 %} against the baseline, {@code errors > 1 %}
 * and {@code mean > 20 ms} (without a sign) for the figure itself.
 *
 * @param condition that fails the comparison where it holds
 * @param metric    its figure
 */
public record FailIf(Condition condition, Metric metric) {
    public static FailIf parse(String text) {
        try {
            Condition condition = Condition.parse(text, Judge.COMPARISON);
            return new FailIf(condition, Metric.named(condition.figure().name()));
        } catch (IllegalArgumentException e) {
            throw new UsageException("'" + text + "' " + e.getMessage() + ".");
        }
    }

    /** @return as it was written */
    public String text() {
        return condition.text();
    }

    /** What became of a limit. */
    public enum Outcome {
        KEPT, BROKEN, UNTOLD
    }

    /**
     * A change within noise breaks no limit, a figure that there is not breaks all. Whether a change beyond the limit
     * is more than noise cannot be told without an interval.
     */
    public Outcome outcome(Comparison.Difference difference) {
        double figure = condition.change() ? difference.percent() : difference.value();
        if (condition.change() && condition.relation().isAbove() && Double.isInfinite(difference.baseline())
                && !Double.isNaN(difference.value())) {
            // It may have risen where it lies among requests that failed, as the baseline's does.
            return Double.isFinite(difference.value()) || difference.verdict() == Comparison.Verdict.NOISE
                    ? Outcome.KEPT : Outcome.UNTOLD;
        }
        if (Double.isNaN(figure)) {
            return Outcome.BROKEN;
        }
        if (!condition.holds(figure) || condition.change() && difference.verdict() == Comparison.Verdict.NOISE) {
            return Outcome.KEPT;
        }
        return condition.change() && Double.isFinite(figure) && difference.verdict() == Comparison.Verdict.UNKNOWN
                ? Outcome.UNTOLD : Outcome.BROKEN;
    }
}
