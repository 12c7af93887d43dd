package ch.ethz.mlmq.log_analyzer.model.network;

/**
 * Workers that take what waits: a batch of n takes a + b n. They do so by the rule of MLMQ's broker, whose numbers its
 * catalogue tells: while a batch is under way, another begins only where {@link #WORTH} requests wait, or
 * {@link #PATIENCE} after the last one began.
 *
 * @param fixed   a, of each batch [s]
 * @param each    b, of each request in it [s]
 * @param most    requests in a batch
 * @param waiting for its batch, as a share of the time from the beginning of one batch to that of the next: a half
 *                where requests come at any time, 1 where they come together, as after a batch of clients that do not
 *                think
 */
public record GroupCommit(double fixed, double each, int most, double waiting) {
    public static final int WORTH = (int) BrokerCatalogue.groupCommit("worth_a_batch");
    /** [s] */
    public static final double PATIENCE = BrokerCatalogue.groupCommit("patience_us") / 1e6;
    private static final double ROUNDING = 1e-9;
    public static final double LEAST_WAITING = 0.5;
    public static final double MOST_WAITING = 1;

    /**
     * What a broker does with some number of requests.
     *
     * @param batch    requests in a batch
     * @param underWay batches at once: so many workers are busy
     * @param rate     of requests [1/s]
     */
    public record State(double batch, double underWay, double rate) {
    }

    /** Of requests that come together, which is what no run has told to be otherwise. */
    public GroupCommit(double fixed, double each, int most) {
        this(fixed, each, most, MOST_WAITING);
    }

    /** @return the same, but for how long requests wait for their batch */
    public GroupCommit waiting(double share) {
        return new GroupCommit(fixed, each, most, share);
    }

    /** @return how long a batch takes [s] */
    public double time(double requests) {
        return fixed + each * requests;
    }

    /** @return whether another batch begins beside one that is under way @param since the last one began [s] */
    public boolean isWorthwhile(int waiting, double since) {
        return waiting >= Math.min(WORTH, most) || since > PATIENCE - ROUNDING;
    }

    /**
     * Batches begin every T/q where q are under way, and bring the requests of so long a time each: k. Of n requests at
     * a broker q k are in batches, and as many wait as come in the time they wait, so that n = k (q + waiting).
     *
     * @param requests at the broker, waiting or in batches
     */
    State with(double requests, int workers) {
        // as many wait as a second batch is worth: more batches at once, so that no more wait
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
                    // q = T/patience: a batch begins whenever patience ends
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

    /** @return workers that are busy at some rate [1/s]; all of them where they do not reach it */
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
