package ch.ethz.mlmq.scenario.pacing;

/** The rule that starts a client's next request: the response to the last one, or the clock. */
public sealed interface Pace permits Pace.Closed, Pace.Open {

    /** A client sends its next request after the response and its think time. */
    record Closed() implements Pace {
    }

    /** Requests start at their planned times, however long responses take. */
    record Open(RatePlan rate) implements Pace {
    }
}
