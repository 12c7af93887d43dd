package ch.ethz.mlmq.client;

/** The state of a client's connection. */
public enum ClientState {
    /** The client connects to a broker, or registers again after the connection was lost. */
    CONNECTING,
    /** The client can send requests. */
    CONNECTED,
    /** The client waits before it tries the next broker. */
    BACKING_OFF,
    /** The client is closed and stays so. */
    CLOSED
}
