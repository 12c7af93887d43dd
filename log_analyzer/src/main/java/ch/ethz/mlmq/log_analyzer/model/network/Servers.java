package ch.ethz.mlmq.log_analyzer.model.network;

/**
 * The numbers of servers.
 *
 * @param brokers each with an equal share of the requests
 * @param workers of each broker
 * @param pool    connections of each broker
 */
public record Servers(int brokers, int workers, int pool) {

    /** @return number of a broker's workers that can have a batch, each of which keeps a connection for it */
    public int holders() {
        return Math.min(workers, pool);
    }
}
