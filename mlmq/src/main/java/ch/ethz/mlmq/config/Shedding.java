package ch.ethz.mlmq.config;

/** What becomes of a request that finds the request queue full. */
public enum Shedding {
    /** Answered at once with OVERLOADED. */
    REFUSE,
    /** Dropped silently, so that the client's own timeout finds it. */
    DROP
}
