package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The point with the best mean of a figure.
 *
 * @param asGood points whose difference from it is within noise (Welch's t)
 * @param untold points whose difference from it has no interval, because one of both has no repetition
 */
public record Best(Trials.Point point, Estimate estimate, List<Trials.Point> asGood, List<Trials.Point> untold) {

    /** @return empty if no accepted run has the figure */
    public static Optional<Best> of(Trials trials, FigureName figure, double confidence) {
        List<Trials.Point> measured = trials.points().stream().filter(point -> point.count(figure.column()) > 0)
                .toList();
        Comparator<Trials.Point> byValue = Comparator.comparingDouble(point -> point.estimate(figure.column()).value());
        Optional<Trials.Point> best = figure.higherIsBetter() ? measured.stream().max(byValue)
                : measured.stream().min(byValue);
        return best.map(point -> {
            Estimate estimate = point.estimate(figure.column());
            List<Trials.Point> asGood = new ArrayList<>();
            List<Trials.Point> untold = new ArrayList<>();
            for (Trials.Point other : measured) {
                Interval difference = estimate.minus(other.estimate(figure.column())).interval(confidence);
                if (other != point && difference.contains(0)) {
                    asGood.add(other);
                } else if (other != point && Double.isNaN(difference.low())) {
                    untold.add(other);
                }
            }
            return new Best(point, estimate, List.copyOf(asGood), List.copyOf(untold));
        });
    }
}
