package ch.ethz.mlmq.log_analyzer.model.simulation;

import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import ch.ethz.mlmq.log_analyzer.model.waiting.Arrivals;

/**
 * The system of a {@link Simulation}: clients, network, brokers with I/O threads, workers and connections, databases.
 *
 * @param batches of workers; null for one request at a time
 * @param io      threads that receive and send; null if no request waits for them
 * @param shards  databases; null if only their connections can be short
 * @param pause   of a broker, or of a database if there are shards; 0 for none [s]
 */
public record SimulatedSystem(Load load, Demands demands, Servers servers, Batches batches, Io io, Shards shards,
        double pause) {

    /**
     * The senders of requests.
     *
     * @param clients that wait for responses; 0 for open arrivals
     * @param rate    of open arrivals, Poisson [1/s]
     * @param think   between a response and the next request
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
     * Times of a request without waiting.
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
     * @param times  of a batch, including the database
     * @param spread of a batch's time about a + b n, mean 1; null for none
     */
    public record Batches(GroupCommit times, Times spread) {
    }

    /**
     * I/O threads. @param receive time of a thread for a request @param send for a response @param threads of each
     * broker
     */
    public record Io(Times receive, Times send, int threads) {
    }

    /**
     * Databases that share the data: a request goes to one of them, at random.
     *
     * @param count   of them
     * @param servers requests that each of them executes at once
     * @param share   of a batch's time that the database takes, 0..1
     */
    public record Shards(int count, int servers, double share) {
    }

    /** Makes a system whose workers take one request at a time, without waits for I/O threads, and without a pause. */
    public SimulatedSystem(Load load, Demands demands, Servers servers) {
        this(load, demands, servers, null, null, null, 0);
    }

    /** @return the same with these batches; null for one request at a time */
    public SimulatedSystem with(Batches others) {
        return new SimulatedSystem(load, demands, servers, others, io, shards, pause);
    }

    /** @return the same with these threads; null if no request waits for them */
    public SimulatedSystem with(Io others) {
        return new SimulatedSystem(load, demands, servers, batches, others, shards, pause);
    }

    /** @return the same with these databases; null if only their connections can be short */
    public SimulatedSystem with(Shards others) {
        return new SimulatedSystem(load, demands, servers, batches, io, others, pause);
    }

    /** @return the same with one pause of a broker or database [s] */
    public SimulatedSystem withPause(double seconds) {
        return new SimulatedSystem(load, demands, servers, batches, io, shards, seconds);
    }

    /** @return times of a batch; null for one request at a time */
    GroupCommit batch() {
        return batches == null ? null : batches.times();
    }

    /**
     * @return number of a broker's workers that can be busy: under group commit each keeps a connection for its batch
     */
    int holders() {
        return batches == null || shards != null ? servers.workers() : servers.holders();
    }

    /** Refuses a load above the capacity, whose queue would grow for ever. */
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

    /** @return smallest worker's time per request, including the database [s] */
    private double ofWorker() {
        return batches == null ? demands.worker().mean() + demands.database().mean()
                : batch().fixed() / batch().most() + batch().each();
    }

    /** @return the database's part of it, as far as requests can wait for that [s] */
    private double ofDatabase() {
        if (batches == null) {
            return demands.database().mean();
        }
        return shards == null ? 0 : ofWorker() * shards.share();
    }

    /** Checks the utilisation; a station without any service time is never short. */
    private static void requireStable(double utilisation) {
        Arrivals.stable(Math.max(Double.MIN_NORMAL, utilisation));
    }
}
