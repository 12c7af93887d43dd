package ch.ethz.mlmq.log_analyzer.model.network;

import java.util.function.IntToDoubleFunction;

/**
 * Where a request of a closed system spends time.
 *
 * @param name   for people
 * @param demand time that a request needs here, alone, over all its visits [s]
 * @param kind   what several requests do to each other
 * @param speed  how many times as fast as with one request it is with n of them, n from 1; constant from some n on
 * @param width  how many requests it holds at its highest speed: number of servers; infinite for a delay
 */
public record Station(String name, double demand, Kind kind, IntToDoubleFunction speed, double width) {
    /** What several requests at a station do to each other. */
    public enum Kind { DELAY, QUEUE, LOAD_DEPENDENT }

    private static final int FAR = 1_000_000;

    /** Nobody waits: think time, cable, threads enough for all. */
    public static Station delay(String name, double demand) {
        return new Station(name, demand, Kind.DELAY, n -> n, Double.POSITIVE_INFINITY);
    }

    /** @param servers that take from one line */
    public static Station queue(String name, double demand, int servers) {
        return new Station(name, demand, Kind.QUEUE, n -> Math.min(n, servers), servers);
    }

    /** @param speed see above */
    public static Station loadDependent(String name, double demand, IntToDoubleFunction speed) {
        return new Station(name, demand, Kind.LOAD_DEPENDENT, speed, speed.applyAsDouble(FAR));
    }

    /**
     * Workers that take what waits, at one of so many brokers, which have an equal share of the requests each.
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
