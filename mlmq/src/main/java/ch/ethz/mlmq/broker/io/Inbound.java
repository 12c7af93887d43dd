package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.protocol.wire.FrameReader;
import java.nio.ByteBuffer;

/** Receiving state of a connection. Belongs to its I/O thread's {@link Inbox}. */
final class Inbound {
    final FrameReader reader;
    /** The bytes of a begun frame, or null if there is none. */
    ByteBuffer partial;
    /** True once the connection has sent a request. */
    boolean hasSpoken;
    /** True while a request to register is in flight, after which longer frames may follow. */
    boolean registering;
    /** When the last whole request arrived, or, once registered, the last byte [ns]. */
    long heardNanos = System.nanoTime();

    Inbound(int maxPayload) {
        this.reader = new FrameReader(maxPayload);
    }
}
