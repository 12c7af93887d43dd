package ch.ethz.mlmq.log_analyzer.model.network;

import java.util.function.IntToDoubleFunction;

/**
 * A station of a system.
 *
 * @param name   for people
 * @param demand time of a request here without waiting, over all its visits [s]
 * @param kind   effect of several requests on each other
 * @param speed  speed with n requests relative to one, n from 1; constant from some n on
 * @param width  number of requests at its highest speed: number of servers; infinite for a delay
 */
public record Station(String name, double demand, Kind kind, IntToDoubleFunction speed, double width) {
    /** Effects of several requests at a station on each other. */
    public enum Kind { DELAY, QUEUE, LOAD_DEPENDENT }

    private static final int FAR = 1_000_000;

    /** Makes a station without waiting: think time, cable, enough threads for all. */
    public static Station delay(String name, double demand) {
        return new Station(name, demand, Kind.DELAY, n -> n, Double.POSITIVE_INFINITY);
    }

    /** @param servers that take from one line */
    public static Station queue(String name, double demand, int servers) {
        return new Station(name, demand, Kind.QUEUE, n -> Math.min(n, servers), servers);
    }

    /** @param speed relative to one request, see above */
    public static Station loadDependent(String name, double demand, IntToDoubleFunction speed) {
        return new Station(name, demand, Kind.LOAD_DEPENDENT, speed, speed.applyAsDouble(FAR));
    }

    /**
     * Makes workers that take batches, at one of the brokers, each with an equal share of the requests.
     *
     * @param workers that take batches
     */
    public static Station batches(String name, GroupCommit batch, int workers, int brokers) {
        double alone = batch.time(1);
        return loadDependent(name, alone / brokers, n -> batch.with(n, workers).rate() * alone);
    }

    /** @return highest throughput [1/s]; infinite for a delay */
    public double capacity() {
        return kind == Kind.DELAY || demand == 0 ? Double.POSITIVE_INFINITY : width / demand;
    }
}
