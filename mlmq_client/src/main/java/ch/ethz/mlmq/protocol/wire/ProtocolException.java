package ch.ethz.mlmq.protocol.wire;

/**
 * Reports bytes that are no frame of this protocol. Later bytes on that connection cannot be trusted, so it is closed.
 */
public final class ProtocolException extends Exception {
    public ProtocolException(String message) {
        super(message);
    }
}
