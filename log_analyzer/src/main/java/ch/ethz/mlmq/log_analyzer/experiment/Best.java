package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The point with the best mean of a figure.
 *
 * @param asGood points whose difference from it is within noise (Welch's t)
 */
public record Best(Trials.Point point, Estimate estimate, List<Trials.Point> asGood) {

    /** @return empty where no accepted run has the figure */
    public static Optional<Best> of(Trials trials, FigureName figure, double confidence) {
        List<Trials.Point> measured = trials.points().stream().filter(point -> point.count(figure.column()) > 0)
                .toList();
        Comparator<Trials.Point> byValue = Comparator.comparingDouble(point -> point.estimate(figure.column()).value());
        Optional<Trials.Point> best = figure.higherIsBetter() ? measured.stream().max(byValue)
                : measured.stream().min(byValue);
        return best.map(point -> {
            Estimate estimate = point.estimate(figure.column());
            return new Best(point, estimate, measured.stream().filter(other -> other != point).filter(other -> {
                Interval difference = estimate.minus(other.estimate(figure.column())).interval(confidence);
                return difference.contains(0);
            }).toList());
        });
    }
}
