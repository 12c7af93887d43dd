package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.protocol.wire.FrameReader;
import java.nio.ByteBuffer;

/** What comes of a connection. Belongs to its I/O thread's {@link Inbox}. */
final class Inbound {
    final FrameReader reader;
    /** What has arrived of a frame, or null where it ended with one. */
    ByteBuffer partial;
    /** It has sent a request. */
    boolean hasSpoken;
    /** A request to register is under way, so that longer frames may follow it. */
    boolean registering;
    /** When the last whole request had come; of one that has registered, when the last byte had [ns]. */
    long heardNanos = System.nanoTime();

    Inbound(int maxPayload) {
        this.reader = new FrameReader(maxPayload);
    }
}
