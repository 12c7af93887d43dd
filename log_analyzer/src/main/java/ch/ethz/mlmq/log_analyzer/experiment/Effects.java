package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * What factors do to a figure.
 *
 * @param method    how it was computed, for people
 * @param mean      over all combinations of levels
 * @param effects   of factors and their interactions
 * @param error     what is left to chance; empty where nothing was repeated
 * @param levels    none for two levels, whose effects say it
 * @param residuals of each accepted run
 * @param remarks   what a reader must know
 */
public record Effects(String method, double mean, List<Effect> effects, Optional<Error> error, Levels levels,
        List<Residual> residuals, List<String> remarks) {

    /**
     * Of one factor or of several together.
     *
     * @param value       half the change from the low to the high level; NaN for a factor of several levels
     * @param interval    of the value; unknown where nothing was repeated and effects are too few
     * @param share       of the variation, 0..1
     * @param withinNoise empty where that cannot be told
     * @param confounded  other effects that no run of the design tells from this one
     */
    public record Effect(String name, double value, Interval interval, double share, FTest test,
            Optional<Boolean> withinNoise, List<String> confounded) {
    }

    /**
     * What single levels do.
     *
     * @param effects how far the mean of each is from the mean of all
     * @param pairs   differences of them; of one factor only
     */
    public record Levels(List<LevelEffect> effects, List<Pair> pairs) {
        static final Levels NONE = new Levels(List.of(), List.of());
    }

    /** @param squares sum of them @param share of the variation @param deviation of a run, standard */
    public record Error(double squares, int degrees, double share, double deviation) {
    }

    /** @param value mean of the level less the mean of all */
    public record LevelEffect(String factor, String level, double value, Interval interval) {
    }

    /** @param difference second less first, with an interval that holds for all pairs at once */
    public record Pair(String factor, String first, String second, double difference, Interval interval) {
        public boolean isWithinNoise() {
            return interval.contains(0);
        }
    }

    /** @param normalQuantile where it would stand if residuals were normal, in standard deviations */
    public record Residual(Trial trial, double predicted, double residual, double normalQuantile) {
    }

    /** @param predicted of each trial */
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
