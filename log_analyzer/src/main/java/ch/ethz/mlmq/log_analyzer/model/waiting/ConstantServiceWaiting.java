package ch.ethz.mlmq.log_analyzer.model.waiting;

import org.apache.commons.math3.special.Gamma;

/**
 * M/D/1, exact: P(W > t) = (1 − ρ) Σ_{n > ⌊t/b⌋} e^{−x} xⁿ / n!, x = λ(n b − t). Henjes (5.9): all terms are positive,
 * so no digits are lost.
 *
 * <p>Near saturation that takes some 1/(1 − ρ)² terms. There the finite alternating sum of textbooks is used for the
 * first ten services, where it keeps twelve digits, and beyond them the exponential tail (Cramér and Lundberg), P(W >
 * t) = (1 − ρ) / (ρ e^z − 1) e^{−z t/b} with ρ (e^z − 1) = z, whose relative error is below 1e-8 there.
 */
public final class ConstantServiceWaiting implements WaitingTime {
    private static final double NEGLIGIBLE = 1e-17;
    private static final double NEARLY_SATURATED = 0.9;
    private static final double FIRST_SERVICES = 10;
    private static final int HALVINGS = 100;

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
        if (utilisation < NEARLY_SATURATED) {
            return bySum(seconds);
        }
        return seconds < FIRST_SERVICES * service ? byFiniteSum(seconds) : byTail(seconds);
    }

    private double byFiniteSum(double seconds) {
        double sum = 0;
        for (int n = 0; n <= seconds / service; n++) {
            double x = rate * (n * service - seconds);
            sum += Math.pow(x, n) / Gamma.gamma(n + 1) * Math.exp(-x);
        }
        return Math.min(1, Math.max(0, (1 - utilisation) * sum));
    }

    private double byTail(double seconds) {
        double low = 0;
        double high = 2 * (1 - utilisation) / utilisation;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (utilisation * Math.expm1(middle) < middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double decay = (low + high) / 2;
        double constant = (1 - utilisation) / (utilisation * Math.exp(decay) - 1);
        return 1 - constant * Math.exp(-decay * seconds / service);
    }

    /** Computes the sum, however long it takes. Tests use it. */
    double bySum(double seconds) {
        double sum = 0;
        double before = Double.NEGATIVE_INFINITY;
        for (double n = Math.floor(seconds / service) + 1;; n++) {
            double x = rate * (n * service - seconds);
            double exponent = n * Math.log(x) - x - Gamma.logGamma(n + 1);
            double term = Math.exp(exponent);
            sum += term;
            // The exponent is concave in n: once it falls, it falls at least as fast further on.
            if (exponent < before && term <= NEGLIGIBLE * sum * (1 - utilisation)) {
                break;
            }
            before = exponent;
        }
        return Math.max(0, 1 - (1 - utilisation) * sum);
    }
}
