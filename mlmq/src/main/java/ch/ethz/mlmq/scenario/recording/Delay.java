package ch.ethz.mlmq.scenario.recording;

/** The delay of a request's start against its intended start. */
public enum Delay {
    /** The start was within the tolerance. */
    NONE,
    /** The start was late because the client had no connection, or its maximum of requests in flight. */
    BY_PEER,
    /** The start was late although the client could have started it in time. */
    BY_CLIENT
}
