package ch.ethz.mlmq.protocol.tls;

import java.io.IOException;

/** The peer speaks no TLS, or none that is accepted; the message says why. */
public final class TlsException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean plain;

    TlsException(String message, Throwable cause, boolean plain) {
        super(message, cause);
        this.plain = plain;
    }

    /** @return true if the first bytes of the peer are no TLS, so that it can read a plain answer */
    public boolean isPlain() {
        return plain;
    }
}
