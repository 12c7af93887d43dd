package ch.ethz.mlmq.log_analyzer.model.waiting;

/**
 * M/GI/m, approximated: as many requests wait as with M/M/m, and they wait (1 + c²)/2 times as long (A. O. Allen,
 * <i>Probability, Statistics, and Queueing Theory</i>, 2nd edition, Academic Press 1990, section 5.5, after Allen and
 * Cunneen). Exact in the mean for exponential service, and for one server.
 */
public final class VaryingServiceWaiting implements WaitingTime {
    private final ExponentialServiceWaiting exponential;
    private final int servers;
    private final double longer;

    /** @param rate of arrivals [1/s] @param servers m */
    public VaryingServiceWaiting(ServiceTime service, double rate, int servers) {
        this.servers = servers;
        exponential = new ExponentialServiceWaiting(service.first(), rate, servers);
        longer = (1 + service.cv() * service.cv()) / 2;
    }

    @Override
    public String name() {
        return "M/GI/" + servers + " Allen–Cunneen";
    }

    @Override
    public double mean() {
        return exponential.mean() * longer;
    }

    @Override
    public double within(double seconds) {
        return exponential.within(seconds / longer);
    }
}
