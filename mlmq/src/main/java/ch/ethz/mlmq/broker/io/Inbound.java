package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.access.SignIn;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import java.nio.ByteBuffer;

/** Receiving state of a connection. Belongs to its I/O thread's {@link Inbox}. */
final class Inbound {
    final FrameReader reader;
    /** The bytes of a begun frame, or null if there is none. */
    ByteBuffer partial;
    /** The sign-in of the connection; null if it has not begun. */
    SignIn signIn;
    /** True once the connection has sent a request. */
    boolean hasSpoken;
    /** True while a request to register is in flight, after which longer frames may follow. */
    boolean registering;
    /** True while a request to register, which takes over the place of a connection, is in flight. */
    boolean takingOver;
    /** True once a request was refused because the connection is beyond a limit. */
    boolean shutOut;
    /**
     * When the last whole request arrived, or, once registered, the last byte [ns]. Requests of a stranger that has to
     * sign in, and of a connection that is refused or beyond a limit, do not count.
     */
    long heardNanos = System.nanoTime();

    Inbound(int maxPayload) {
        this.reader = new FrameReader(maxPayload);
    }
}
