package ch.ethz.mlmq.protocol.tls;

import java.nio.ByteBuffer;

/** Buffers for encrypted bytes that all connections of one thread share; between two calls they are empty. */
public final class TlsBuffers {
    private static final int INCOMING_BYTES = 1 << 18;
    private static final int OUTGOING_BYTES = 1 << 17;

    private final ByteBuffer incoming = ByteBuffer.allocateDirect(INCOMING_BYTES);
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(OUTGOING_BYTES);

    ByteBuffer incoming() {
        return incoming.clear();
    }

    ByteBuffer outgoing() {
        return outgoing.clear();
    }
}
