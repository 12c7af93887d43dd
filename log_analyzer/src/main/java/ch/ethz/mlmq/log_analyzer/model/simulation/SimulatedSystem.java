package ch.ethz.mlmq.log_analyzer.model.simulation;

import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import ch.ethz.mlmq.log_analyzer.model.waiting.Arrivals;

/**
 * What a {@link Simulation} simulates: clients, network, brokers with I/O threads, workers and connections, databases.
 *
 * @param batches how workers take what waits; null for one request at a time
 * @param io      threads that receive and send; null where nobody waits for them
 * @param shards  databases; null where connections are all that can be short of them
 * @param pause   of a broker, or of a database where there are shards; 0 for none [s]
 */
public record SimulatedSystem(Load load, Demands demands, Servers servers, Batches batches, Io io, Shards shards,
        double pause) {

    /**
     * Who sends requests.
     *
     * @param clients that wait for answers; 0 for open arrivals
     * @param rate    of open arrivals, Poisson [1/s]
     * @param think   between an answer and the next request
     */
    public record Load(int clients, double rate, Times think) {

        public static Load closed(int clients, Times think) {
            return new Load(clients, 0, think);
        }

        public static Load open(double rate) {
            return new Load(0, rate, Times.gamma(0, 0));
        }
    }

    /**
     * How long a request takes, alone.
     *
     * @param network  outside of the broker, both ways
     * @param worker   of a worker, without the database
     * @param database of a connection
     */
    public record Demands(Times network, Times worker, Times database) {
    }

    /**
     * Batches that workers take.
     *
     * @param times  what a batch takes, database included
     * @param spread of a batch's time about a + b n, mean 1; null for none
     */
    public record Batches(GroupCommit times, Times spread) {
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

    /** Where workers take one request at a time, nobody waits for I/O threads, and nothing stands still. */
    public SimulatedSystem(Load load, Demands demands, Servers servers) {
        this(load, demands, servers, null, null, null, 0);
    }

    /** @return the same with these batches; null for one request at a time */
    public SimulatedSystem with(Batches others) {
        return new SimulatedSystem(load, demands, servers, others, io, shards, pause);
    }

    /** @return the same with these threads; null where nobody waits for them */
    public SimulatedSystem with(Io others) {
        return new SimulatedSystem(load, demands, servers, batches, others, shards, pause);
    }

    /** @return the same with these databases; null where connections are all that can be short of them */
    public SimulatedSystem with(Shards others) {
        return new SimulatedSystem(load, demands, servers, batches, io, others, pause);
    }

    /** @return the same, where a broker or database stands still for so long once [s] */
    public SimulatedSystem withPause(double seconds) {
        return new SimulatedSystem(load, demands, servers, batches, io, shards, seconds);
    }

    /** @return what a batch takes; null for one request at a time */
    GroupCommit batch() {
        return batches == null ? null : batches.times();
    }

    /** @return workers of a broker that can be busy: under group commit each keeps a connection for its batch */
    int holders() {
        return batches == null || shards != null ? servers.workers() : servers.holders();
    }

    /** Refuses what more arrives at than it can bear: a queue would grow for ever. */
    void refuseOverload() {
        if (load.clients() > 0) {
            return;
        }
        int brokers = servers.brokers();
        Arrivals.stable(load.rate() * ofWorker() / holders() / brokers);
        requireStable(load.rate() * ofDatabase() / servers.pool() / brokers);
        if (shards != null) {
            requireStable(load.rate() * ofDatabase() / shards.servers() / shards.count());
        }
        if (io != null) {
            requireStable(load.rate() * (io.receive().mean() + io.send().mean()) / io.threads() / brokers);
        }
    }

    /** @return what a request costs a worker at the least, database included [s] */
    private double ofWorker() {
        return batches == null ? demands.worker().mean() + demands.database().mean()
                : batch().fixed() / batch().most() + batch().each();
    }

    /** @return what of it is the database's, as far as requests can wait for that [s] */
    private double ofDatabase() {
        if (batches == null) {
            return demands.database().mean();
        }
        return shards == null ? 0 : ofWorker() * shards.share();
    }

    /** What takes no time at all is never short. */
    private static void requireStable(double utilisation) {
        Arrivals.stable(Math.max(Double.MIN_NORMAL, utilisation));
    }
}
