package ch.ethz.mlmq.log_analyzer.model.waiting;

import org.apache.commons.math3.special.Gamma;

/**
 * A gamma distribution of shape 1/c² and the given mean (A. M. Law, <i>Simulation Modeling and Analysis</i>, section
 * 6.2.2).
 */
final class GammaLaw implements Law {
    private final double shape;
    private final double scale;

    /** @param mean [s] @param cv coefficient of variation c, more than 0 */
    GammaLaw(double mean, double cv) {
        shape = 1 / (cv * cv);
        scale = mean / shape;
    }

    @Override
    public double moment(int k) {
        double moment = 1;
        for (int i = 0; i < k; i++) {
            moment *= (shape + i) * scale;
        }
        return moment;
    }

    @Override
    public double within(double seconds) {
        return seconds <= 0 ? 0 : Gamma.regularizedGammaP(shape, seconds / scale);
    }

    /** P(X_r ≤ t) = t P(X > t) / E[X] + P(a + 1, t), and P(a + 1, x) = P(a, x) − x^a e^{−x} / Γ(a + 1). */
    @Override
    public double residual(double seconds) {
        if (seconds <= 0) {
            return 0;
        }
        double x = seconds / scale;
        double within = within(seconds);
        double density = Math.exp(shape * Math.log(x) - x - Gamma.logGamma(shape + 1));
        return Math.min(1, x / shape * (1 - within) + within - density);
    }

    @Override
    public double exponentialMoment(double eta) {
        double left = 1 - eta * scale;
        return left > 0 ? Math.pow(left, -shape) : Double.POSITIVE_INFINITY;
    }
}
