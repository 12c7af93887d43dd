package ch.ethz.mlmq.config;

/** Handling of a request that finds the request queue full. */
public enum Shedding {
    /** It gets an OVERLOADED response at once. */
    REFUSE,
    /** It is dropped silently, and the client's own timeout expires. */
    DROP
}
