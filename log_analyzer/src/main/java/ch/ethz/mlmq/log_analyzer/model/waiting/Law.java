package ch.ethz.mlmq.log_analyzer.model.waiting;

/** The distribution of a time that is not negative: of a service, or between arrivals. Times are in seconds. */
public interface Law {
    /** @return E[X^k], k ≥ 0 [s^k] */
    double moment(int k);

    /** @return P(X ≤ t) */
    double within(double seconds);

    /**
     * @return P(X_r ≤ t) of the residual time that a random moment finds, ∫₀ᵗ P(X > u) du / E[X]
     */
    double residual(double seconds);

    /** @return E[e^{ηX}], η in 1/s; infinite if there is none */
    double exponentialMoment(double eta);

    default double mean() {
        return moment(1);
    }

    /** @return coefficient of variation σ/E[X] */
    default double cv() {
        return ServiceTime.of(this).cv();
    }

    /** @return a time that is always the same */
    static Law constant(double seconds) {
        return new DiscreteLaw(new double[] {seconds}, new double[] {1});
    }

    /** @return a gamma distribution by its mean and coefficient of variation; cv 0: always the mean, 1: exponential */
    static Law gamma(double mean, double cv) {
        return cv == 0 ? constant(mean) : new GammaLaw(mean, cv);
    }
}
