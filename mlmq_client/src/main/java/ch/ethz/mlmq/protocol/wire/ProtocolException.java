package ch.ethz.mlmq.protocol.wire;

/** Bytes that are no frame of this protocol. What follows on that connection cannot be trusted, so it is closed. */
public final class ProtocolException extends Exception {
    public ProtocolException(String message) {
        super(message);
    }
}
