package ch.ethz.mlmq.client;

/** What a client's connection is doing. */
public enum ClientState {
    /** Connecting to a broker, or registering again after the connection was lost. */
    CONNECTING,
    /** Requests go out. */
    CONNECTED,
    /** Waiting a little before it tries the next broker. */
    BACKING_OFF,
    /** For good. */
    CLOSED
}
