package ch.ethz.mlmq.scenario.pacing;

/** What makes a client start its next request: the answer to the last one, or the clock. */
public sealed interface Pace {

    /** A client asks again when it was answered and has thought about it. */
    record Closed() implements Pace {
    }

    /** Requests start at their times, however long answers take. */
    record Open(RatePlan rate) implements Pace {
    }
}
