package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Finds the beginning of the steady state by White's marginal standard error rule: means of five observations each, and
 * the cut that minimises the standard error of the rest's mean.
 */
public final class Mser5 {
    private static final int BATCH = 5;
    private static final int FEWEST_BATCHES = 4;

    private Mser5() {
    }

    /** @return number of observations to cut; empty if there are too few, or the first half is never steady */
    public static OptionalInt truncation(double... observations) {
        int batches = observations.length / BATCH;
        if (batches < FEWEST_BATCHES) {
            return OptionalInt.empty();
        }
        double[] means = new double[batches];
        for (int i = 0; i < batches; i++) {
            means[i] = Arrays.stream(observations, i * BATCH, (i + 1) * BATCH).average().orElseThrow();
        }
        int best = best(means);
        return best == batches / 2 ? OptionalInt.empty() : OptionalInt.of(best * BATCH);
    }

    /** @return the best cut up to the middle: beyond it, the rest is too short to be judged */
    private static int best(double[] means) {
        double shift = means[means.length - 1];
        double sum = 0;
        double squares = 0;
        double smallest = Double.POSITIVE_INFINITY;
        int best = 0;
        for (int cut = means.length - 1; cut >= 0; cut--) {
            double value = means[cut] - shift;
            sum += value;
            squares += value * value;
            int rest = means.length - cut;
            double error = Math.max(0, squares - sum * sum / rest) / ((double) rest * rest);
            if (cut <= means.length / 2 && error <= smallest) {
                smallest = error;
                best = cut;
            }
        }
        return best;
    }
}
