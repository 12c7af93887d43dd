package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.statistics.FTest;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Effects of factors on a figure.
 *
 * @param method    how it was computed, for people
 * @param mean      over all combinations of levels
 * @param effects   of factors and their interactions
 * @param error     experimental error; empty if nothing was repeated
 * @param levels    none for factors of two levels, whose effects are enough
 * @param residuals of each accepted run
 * @param remarks   that a reader needs
 */
public record Effects(String method, double mean, List<Effect> effects, Optional<Error> error, Levels levels,
        List<Residual> residuals, List<String> remarks) {

    /**
     * The effect of one factor or of several together.
     *
     * @param value       half the change from the low to the high level; NaN for a factor of several levels
     * @param interval    of the value; unknown if nothing was repeated and effects are too few
     * @param share       of the variation, 0..1
     * @param withinNoise empty if that is unknown
     * @param confounded  other effects that no run of the design distinguishes from this one
     */
    public record Effect(String name, double value, Interval interval, double share, FTest test,
            Optional<Boolean> withinNoise, List<String> confounded) {
    }

    /**
     * Effects of single levels.
     *
     * @param effects distance of each level's mean from the mean of all
     * @param pairs   differences of two levels; for one factor only
     */
    public record Levels(List<LevelEffect> effects, List<Pair> pairs) {
        static final Levels NONE = new Levels(List.of(), List.of());
    }

    /**
     * The experimental error. @param squares sum of them @param share of the variation @param deviation standard
     * deviation of a run
     */
    public record Error(double squares, int degrees, double share, double deviation) {
    }

    /** The effect of a level. @param value mean of the level minus the mean of all */
    public record LevelEffect(String factor, String level, double value, Interval interval) {
    }

    /**
     * The difference of two levels. @param difference second minus first, with an interval that holds for all pairs
     * together
     */
    public record Pair(String factor, String first, String second, double difference, Interval interval) {
        public boolean isWithinNoise() {
            return interval.contains(0);
        }
    }

    /** The residual of a run. @param normalQuantile its place in a normal distribution, in standard deviations */
    public record Residual(Trial trial, double predicted, double residual, double normalQuantile) {
    }

    /** @param predicted value of each trial */
    static List<Residual> residuals(List<Trial> trials, String column, double[] predicted) {
        double[] left = new double[trials.size()];
        for (int i = 0; i < left.length; i++) {
            left[i] = trials.get(i).figure(column) - predicted[i];
        }
        List<Integer> order = IntStream.range(0, left.length).boxed()
                .sorted(Comparator.comparingDouble(i -> left[i])).toList();
        NormalDistribution normal = new NormalDistribution();
        Residual[] residuals = new Residual[left.length];
        for (int rank = 0; rank < left.length; rank++) {
            int i = order.get(rank);
            residuals[i] = new Residual(trials.get(i), predicted[i], left[i],
                    normal.inverseCumulativeProbability((rank + 0.5) / left.length));
        }
        return List.of(residuals);
    }
}
