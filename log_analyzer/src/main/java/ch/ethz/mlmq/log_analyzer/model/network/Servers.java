package ch.ethz.mlmq.log_analyzer.model.network;

/**
 * How many there are of what serves requests.
 *
 * @param brokers that take an equal share of the requests each
 * @param workers of each broker
 * @param pool    connections of each broker
 */
public record Servers(int brokers, int workers, int pool) {

    /** @return workers of a broker that can have a batch: each keeps a connection for it */
    public int holders() {
        return Math.min(workers, pool);
    }
}
