package ch.ethz.mlmq.log_analyzer.analysis;

import java.util.List;

/**
 * The estimate of the study of 2013, which had no stages but three medians: at the client, in the middleware, in the
 * database. It assumes that the middleware's own time is spent at the client as well. Each way through the network, and
 * the database's own network, gets half of the remaining difference between client and middleware.
 *
 * @param client     median at the client [us]
 * @param middleware median in the broker [us]
 * @param database   median of the database access [us]
 */
public record MedianEstimate(double client, double middleware, double database) {

    /** @return client, middleware, database, network, and the rest of the client's median */
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
