package ch.ethz.mlmq.log_analyzer.model.waiting;

/**
 * M/M/m, exact: P(W > t) = C e^{−(m/b − λ) t} with Erlang's C. L. Kleinrock, <i>Queueing Systems</i>, volume 1, Wiley
 * 1975, (3.40); with one server Henjes (5.8).
 */
public final class ExponentialServiceWaiting implements WaitingTime {
    private final int servers;
    private final double waits;
    private final double decay;

    /** @param service mean [s] @param rate of arrivals [1/s] @param servers m */
    public ExponentialServiceWaiting(double service, double rate, int servers) {
        this.servers = servers;
        double utilisation = Arrivals.stable(rate * service / servers);
        // Erlang's B, computed one server after the other, has neither large powers nor factorials.
        double blocked = 1;
        for (int i = 1; i <= servers; i++) {
            blocked = rate * service * blocked / (i + rate * service * blocked);
        }
        waits = blocked / (1 - utilisation * (1 - blocked));
        decay = servers / service - rate;
    }

    @Override
    public String name() {
        return "M/M/" + servers + " exact";
    }

    @Override
    public double mean() {
        return waits / decay;
    }

    @Override
    public double within(double seconds) {
        return 1 - waits * Math.exp(-decay * seconds);
    }

    @Override
    public double quantile(double p) {
        return p <= 1 - waits ? 0 : Math.log(waits / (1 - p)) / decay;
    }
}
