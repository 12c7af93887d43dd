package ch.ethz.mlmq.log_analyzer.model.waiting;

/** The waiting time of a request before its service begins, with open arrivals. */
public interface WaitingTime {
    /** @return e.g. {@code M/GI/1 gamma} */
    String name();

    /** @return E[W] [s] */
    double mean();

    /** @return P(W ≤ t), t in s */
    double within(double seconds);

    /** @return the smallest time [s] with P(W ≤ t) ≥ p, 0 ≤ p < 1; found by bisection if there is no closed form */
    default double quantile(double p) {
        if (within(0) >= p) {
            return 0;
        }
        double high = Math.max(mean(), Double.MIN_NORMAL);
        while (within(high) < p) {
            high *= 2;
        }
        double low = 0;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (within(middle) < p) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }
}
