package ch.ethz.mlmq.log_analyzer.statistics;

import org.apache.commons.math3.distribution.FDistribution;

/**
 * An F test: whether an effect is more than chance.
 *
 * @param degrees     of freedom
 * @param f           ratio of mean squares; NaN if there is no error to compare with
 * @param probability of such a large F by chance alone; NaN likewise
 */
public record FTest(int degrees, double f, double probability) {

    /** @param errorDegrees degrees of freedom of the error */
    public static FTest of(int degrees, double f, int errorDegrees) {
        return new FTest(degrees, f, probability(degrees, f, errorDegrees));
    }

    private static double probability(int degrees, double f, int errorDegrees) {
        if (Double.isNaN(f) || errorDegrees == 0) {
            return Double.NaN;
        }
        return f == Double.POSITIVE_INFINITY ? 0
                : 1 - new FDistribution(null, degrees, errorDegrees).cumulativeProbability(f);
    }
}
