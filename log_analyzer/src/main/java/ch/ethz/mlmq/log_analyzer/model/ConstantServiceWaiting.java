package ch.ethz.mlmq.log_analyzer.model;

import org.apache.commons.math3.special.Gamma;

/**
 * M/D/1, exact: P(W > t) = (1 − ρ) Σ_{n > ⌊t/b⌋} e^{−x} xⁿ / n!, x = λ(n b − t). Henjes (5.9): all terms are positive,
 * so no digits are lost, unlike in the finite alternating sum of textbooks.
 */
public final class ConstantServiceWaiting implements WaitingTime {
    private static final double NEGLIGIBLE = 1e-17;

    private final double service;
    private final double rate;
    private final double utilisation;

    /** @param service of each request [s] @param rate of arrivals [1/s] */
    public ConstantServiceWaiting(double service, double rate) {
        this.service = service;
        this.rate = rate;
        utilisation = Arrivals.stable(rate * service);
    }

    @Override
    public String name() {
        return "M/D/1 exact";
    }

    @Override
    public double mean() {
        return service * utilisation / (2 * (1 - utilisation));
    }

    @Override
    public double within(double seconds) {
        double sum = 0;
        double before = Double.NEGATIVE_INFINITY;
        for (double n = Math.floor(seconds / service) + 1;; n++) {
            double x = rate * (n * service - seconds);
            double exponent = n * Math.log(x) - x - Gamma.logGamma(n + 1);
            double term = Math.exp(exponent);
            sum += term;
            // the exponent is concave in n: once it falls, it falls at least as fast further on
            if (exponent < before && term <= NEGLIGIBLE * sum * (1 - utilisation)) {
                break;
            }
            before = exponent;
        }
        return Math.max(0, 1 - (1 - utilisation) * sum);
    }
}
