package ch.ethz.mlmq.log_analyzer.model.waiting;

import java.util.Optional;

/**
 * M/GI/1 with an exponential tail, for utilisations near 1: P(W > t) ≈ a e^{−ηt}, a = η E[W], Henjes (5.11)–(5.13).
 *
 * <p>η solves ρ (E[e^{ηB}] − 1) = η E[B]. Its expansion in 1 − ρ begins 2 (1 − ρ) E[B]/E[B²] (1 + (1 − ρ) (1 − 2 E[B]
 * E[B³] / (3 E[B²]²))). For gamma distributed service the last factor is (1 − c²)/(3 (1 + c²)), as in (5.12), which is
 * printed with a minus before it.
 */
public final class ExponentialTailWaiting implements WaitingTime {
    private final double mean;
    private final double decay;

    private ExponentialTailWaiting(double mean, double decay) {
        this.mean = mean;
        this.decay = decay;
    }

    /**
     * @param rate of arrivals [1/s]
     * @return empty if the expansion has no positive decay, because service varies too much for this utilisation
     */
    public static Optional<ExponentialTailWaiting> of(ServiceTime service, double rate) {
        double idle = 1 - Arrivals.stable(service.utilisation(rate));
        double mean = rate * service.second() / (2 * idle);
        double curvature = 1 - 2 * service.first() * service.third() / (3 * service.second() * service.second());
        double decay = 2 * idle * service.first() / service.second() * (1 + idle * curvature);
        return decay > 0 ? Optional.of(new ExponentialTailWaiting(mean, decay)) : Optional.empty();
    }

    @Override
    public String name() {
        return "M/GI/1 exponential";
    }

    @Override
    public double mean() {
        return mean;
    }

    @Override
    public double within(double seconds) {
        return 1 - Math.min(1, decay * mean * Math.exp(-decay * seconds));
    }
}
