package ch.ethz.mlmq.log_analyzer.model.waiting;

import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.special.Gamma;

/** Distribution functions by mean and coefficient of variation. */
public final class Law {
    private Law() {
    }

    /** @return P(X ≤ t) of a gamma distribution, t in the unit of the mean; cv 0: always the mean */
    public static DoubleUnaryOperator gamma(double mean, double cv) {
        if (cv == 0) {
            return t -> t >= mean * (1 - 1e-12) ? 1 : 0;
        }
        double shape = 1 / (cv * cv);
        return t -> t <= 0 ? 0 : Gamma.regularizedGammaP(shape, t * shape / mean);
    }
}
