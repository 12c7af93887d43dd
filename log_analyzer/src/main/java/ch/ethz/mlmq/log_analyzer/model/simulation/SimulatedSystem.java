package ch.ethz.mlmq.log_analyzer.model.simulation;

import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.waiting.Arrivals;

/**
 * What a {@link Simulation} simulates: clients, network, brokers with I/O threads, workers and connections, databases.
 *
 * @param clients  that wait for answers; 0 for open arrivals
 * @param rate     of open arrivals, Poisson [1/s]
 * @param think    between an answer and the next request
 * @param network  outside of the broker, both ways
 * @param worker   of a worker for a request, without the database
 * @param database of a connection for a request
 * @param workers  of each broker
 * @param pool     connections of each broker
 * @param brokers  that take an equal share of the requests, at random
 * @param batch    what a batch takes, database included; null for one request at a time
 * @param io       threads that receive and send; null where nobody waits for them
 * @param shards   databases; null where connections are all that can be short of them
 * @param spread   of a batch's time about a + b n, mean 1; null for none
 * @param pause    of a broker, or of a database where there are shards; 0 for none [s]
 */
public record SimulatedSystem(int clients, double rate, Times think, Times network, Times worker, Times database,
        int workers, int pool, int brokers, GroupCommit batch, Times spread, Io io, Shards shards, double pause) {
    public SimulatedSystem(int clients, double rate, Times think, Times network, Times worker, Times database,
            int workers, int pool, int brokers, GroupCommit batch) {
        this(clients, rate, think, network, worker, database, workers, pool, brokers, batch, null, null, null, 0);
    }

    /** @param receive time of a thread for a request @param send for an answer @param threads of each broker */
    public record Io(Times receive, Times send, int threads) {
    }

    /**
     * Databases that share the data: a request goes to one of them, at random.
     *
     * @param count   of them
     * @param servers what each of them does at once
     * @param share   of a batch's time that is the database's, 0..1
     */
    public record Shards(int count, int servers, double share) {
    }

    /** @return workers of a broker that can be busy: under group commit each keeps a connection for its batch */
    int holders() {
        return batch == null || shards != null ? workers : Math.min(workers, pool);
    }

    /** Refuses what more arrives at than it can bear: a queue would grow for ever. */
    void refuseOverload() {
        if (clients > 0) {
            return;
        }
        double each = batch == null ? worker.mean() + database.mean()
                : batch.fixed() / batch.most() + batch.each();
        Arrivals.stable(rate * each / holders() / brokers);
        double shared = batch == null ? database.mean()
                : shards == null ? 0 : each * shards.share();
        Arrivals.stable(Math.max(Double.MIN_NORMAL, rate * shared / pool / brokers));
        if (shards != null) {
            Arrivals.stable(Math.max(Double.MIN_NORMAL, rate * shared / shards.servers()
                    / shards.count()));
        }
        if (io != null) {
            Arrivals.stable(Math.max(Double.MIN_NORMAL, rate * (io.receive().mean()
                    + io.send().mean()) / io.threads() / brokers));
        }
    }
}
