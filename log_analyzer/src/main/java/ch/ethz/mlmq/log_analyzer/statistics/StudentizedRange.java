package ch.ethz.mlmq.log_analyzer.statistics;

import org.apache.commons.math3.analysis.integration.gauss.GaussIntegrator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegratorFactory;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The range of k independent normal means over an estimate of their standard error: J. W. Tukey's allowance for all
 * pairs at once. Unequal numbers: C. Y. Kramer, <i>Extension of Multiple Range Tests to Group Means with Unequal
 * Numbers
 * of Replications</i>, Biometrics 12, 1956.
 */
public final class StudentizedRange {
    private static final NormalDistribution NORMAL = new NormalDistribution();
    private static final GaussIntegratorFactory GAUSS = new GaussIntegratorFactory();
    private static final int POINTS = 48;
    private static final double FAR = 8;
    private static final double MOST = 1_000;
    private static final int ROUNDS = 200;
    private static final double ACCURACY = 1e-4;

    private final int means;
    /** Values of the standard error over its expectation, at the points of the outer integral. */
    private final double[] errors = new double[POINTS];
    private final double[] weights = new double[POINTS];

    /** @param degreesOfFreedom of the estimate of the error */
    public StudentizedRange(int means, double degreesOfFreedom) {
        this.means = means;
        ChiSquaredDistribution squares = new ChiSquaredDistribution(degreesOfFreedom);
        GaussIntegrator outer = GAUSS.legendre(POINTS, 0, 1);
        for (int i = 0; i < POINTS; i++) {
            errors[i] = Math.sqrt(squares.inverseCumulativeProbability(outer.getPoint(i)) / degreesOfFreedom);
            weights[i] = outer.getWeight(i);
        }
    }

    /** @return the value that the range exceeds with probability 1 − level */
    public double quantile(double level) {
        return new BrentSolver(ACCURACY).solve(ROUNDS, q -> within(q) - level, 0, MOST);
    }

    private double within(double q) {
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            sum += weights[i] * ofKnownError(q * errors[i]);
        }
        return sum;
    }

    /** k ∫ φ(z) (Φ(z) − Φ(z − w))^(k−1) dz. */
    private double ofKnownError(double w) {
        return GAUSS.legendre(POINTS, -FAR, FAR).integrate(z -> means * NORMAL.density(z)
                * Math.pow(NORMAL.cumulativeProbability(z) - NORMAL.cumulativeProbability(z - w), means - 1));
    }
}
