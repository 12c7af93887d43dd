package ch.ethz.mlmq.log_analyzer.analysis;

import java.util.List;

/**
 * The estimate of the study of 2013, which had no stages but three medians: at the client, in the middleware, in the
 * database. What the middleware adds to the database is taken for the client too, and half of what is left between
 * client and middleware for each way through the network and for the database's own network.
 *
 * @param client     median at the client [us]
 * @param middleware median in the broker [us]
 * @param database   median of the database access [us]
 */
public record MedianEstimate(double client, double middleware, double database) {

    /** @return client, middleware, database, network, and what they leave of the client's median */
    public Breakdown breakdown() {
        double think = middleware - database;
        double outside = client - middleware;
        double network = 2 * (outside - think);
        double inDatabase = database - outside - think;
        return new Breakdown("estimate", client, List.of(
                new Breakdown.Stage("client", think),
                new Breakdown.Stage("middleware", think),
                new Breakdown.Stage("database", inDatabase),
                new Breakdown.Stage("network", network),
                new Breakdown.Stage(Breakdown.REMAINDER, client - 2 * think - inDatabase - network)));
    }
}
