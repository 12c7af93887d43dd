package ch.ethz.mlmq.scenario.recording;

/** How a request started, compared with when it was to start. */
public enum Delay {
    /** Not later than is tolerated. */
    NONE,
    /** Late: until then the client had no connection, or as many requests under way as it may. */
    BY_PEER,
    /** Late although the client could have started it in time. */
    BY_CLIENT
}
