package ch.ethz.mlmq.log_analyzer.model.network;

/**
 * Workers that take all waiting requests together: a batch of n takes a + b n. They follow the rule of MLMQ's broker,
 * whose numbers are in its catalogue: while a batch is in flight, another begins only if {@link #WORTH} requests wait,
 * or {@link #PATIENCE} after the last one began.
 *
 * @param fixed   a, of each batch [s]
 * @param each    b, of each request in it [s]
 * @param most    requests in a batch
 * @param waiting for its batch, as a share of the time between the beginnings of two batches: a half if requests come
 * at any time, 1 if they come together, as after a batch of clients that do not think
 */
public record GroupCommit(double fixed, double each, int most, double waiting) {
    public static final int WORTH = (int) BrokerCatalogue.groupCommit("worth_a_batch");
    /** Longest wait for a batch in flight before another one begins [s]. */
    public static final double PATIENCE = BrokerCatalogue.groupCommit("patience_us") / 1e6;
    private static final double ROUNDING = 1e-9;
    public static final double LEAST_WAITING = 0.5;
    public static final double MOST_WAITING = 1;

    /**
     * The state of a broker with some number of requests.
     *
     * @param batch    requests in a batch
     * @param underWay batches in flight, the number of busy workers
     * @param rate     of requests [1/s]
     */
    public record State(double batch, double underWay, double rate) {
    }

    /** Assumes requests that come together, as long as no run shows otherwise. */
    public GroupCommit(double fixed, double each, int most) {
        this(fixed, each, most, MOST_WAITING);
    }

    /** @return the same with another wait of requests for their batch */
    public GroupCommit waiting(double share) {
        return new GroupCommit(fixed, each, most, share);
    }

    /** @return time of a batch [s] */
    public double time(double requests) {
        return fixed + each * requests;
    }

    /** @return true if another batch begins beside one that is in flight @param since the last one began [s] */
    public boolean isWorthwhile(int waiting, double since) {
        return waiting >= Math.min(WORTH, most) || since > PATIENCE - ROUNDING;
    }

    /**
     * Computes the state for n requests at a broker. With q batches in flight a batch of k requests begins every T/q.
     * So q k requests are in batches, and those that arrive during a wait are waiting: n = k (q + waiting).
     *
     * @param requests at the broker, waiting or in batches
     */
    State with(double requests, int workers) {
        // Enough requests wait to justify a second batch, so there are more batches at once, and no more requests wait.
        double least = clamp(requests / Math.min(WORTH, most) - waiting, workers);
        double underWay = Math.max(least, clamp(time(1) / PATIENCE, workers));
        double batch = 1;
        if (requests > underWay + waiting) {
            underWay = least;
            batch = requests / (underWay + waiting);
            if (time(batch) / PATIENCE > underWay) {
                underWay = workers;
                batch = requests / (underWay + waiting);
                if (time(batch) / PATIENCE < underWay) {
                    // In this case q = T/patience: a batch begins whenever the patience ends.
                    double linear = fixed / PATIENCE + waiting;
                    double square = each / PATIENCE;
                    batch = 2 * requests / (linear + Math.sqrt(linear * linear + 4 * square * requests));
                    underWay = clamp(time(batch) / PATIENCE, workers);
                }
            }
        }
        batch = Math.max(1, Math.min(most, batch));
        double busy = batch == 1 ? Math.min(requests, underWay) : underWay;
        return new State(batch, busy, busy * batch / time(batch));
    }

    /** @return number of busy workers at a rate [1/s]; all of them if they do not reach it */
    public double busyAt(double rate, int workers) {
        double low = 0;
        double high = 2.0 * most * (workers + waiting);
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (with(middle, workers).rate() < rate) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return with(high, workers).underWay();
    }

    private static double clamp(double underWay, int workers) {
        return Math.max(1, Math.min(workers, underWay));
    }
}
