package ch.ethz.mlmq.protocol.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of a connection that does not block, plain or encrypted. Belongs to one thread. */
public interface ByteLink {
    /** Free bytes that the buffer of a read needs, so that it takes all bytes that have arrived. */
    int READ_BYTES = 1 << 16;

    /**
     * Reads the bytes that have arrived.
     *
     * @param into has {@link #READ_BYTES} free bytes or more
     * @return number of bytes, possibly 0; -1 if the peer has closed the connection
     */
    int read(ByteBuffer into) throws IOException;

    /**
     * Writes as many bytes as are taken, in order.
     *
     * @return number of bytes taken
     */
    long write(ByteBuffer... from) throws IOException;

    /**
     * @param more true if the caller has bytes to write
     * @return true if a write makes sense once the socket is writable
     */
    boolean wantsToWrite(boolean more);

    /** @return true if the bytes that were read last ask for a write, such as those that end a handshake */
    boolean asksForWrite();

    /** @return true if the peer has said that nothing follows the bytes that were read last */
    boolean hasEnded();

    /** @return bytes that the socket has taken; it grows only while the peer reads */
    long writtenBytes();

    /** @return bytes of memory that it holds until the peer sends or takes more */
    int heldBytes();

    /** @return what a proof can be bound to, so that it is worth nothing on another connection; null for nothing */
    default byte[] channelBinding() {
        return null;
    }

    /** @return the name in the certificate that the peer has shown; null if it has none that is the only one */
    default String peerName() {
        return null;
    }

    /** Tells the peer that no more bytes follow. */
    void shutdownOutput() throws IOException;
}
