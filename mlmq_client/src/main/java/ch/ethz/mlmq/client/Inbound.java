package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.ByteLink;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads bytes of a connection and decodes them to responses. Belongs to the loop's thread. */
final class Inbound {
    /** A begun frame longer than this part of the buffer gets its bytes one read after the other. */
    private static final int LONG_PART = 4;

    private final ByteLink link;
    private final FrameReader reader;
    private final Receiver receiver;
    /** The bytes of a begun frame, or null if there is none. */
    private ByteBuffer partial;
    private long heardNanos = System.nanoTime();

    /** Gets the responses in the order of arrival. */
    @FunctionalInterface
    interface Receiver {
        /**
         * @param nanos when it was read [ns]
         * @return true if the bytes after it are still useful
         */
        boolean answered(int id, Response response, long nanos);
    }

    Inbound(ByteLink link, int maxPayloadBytes, Receiver receiver) {
        this.link = link;
        this.reader = new FrameReader(maxPayloadBytes);
        this.receiver = receiver;
    }

    /**
     * Sets the {@link ch.ethz.mlmq.protocol.Features} that both sides have agreed on, for the responses that follow.
     */
    void features(long granted) {
        reader.features(granted);
    }

    /** @return when bytes last arrived [ns] */
    long heardNanos() {
        return heardNanos;
    }

    /** @return bytes of the frame of the response that was passed on last */
    int frameBytes() {
        return reader.frameBytes();
    }

    /** Drops the bytes of a begun frame. */
    void forget() {
        partial = null;
    }

    /**
     * Reads the bytes that have arrived.
     *
     * @param buffer is free again afterwards
     * @return false if the broker has closed the connection
     * @throws ProtocolException if a frame is no valid response; earlier ones were passed on
     */
    boolean read(ByteBuffer buffer) throws IOException, ProtocolException {
        boolean isLong = partial != null && partial.capacity() > buffer.capacity() / LONG_PART;
        buffer.clear();
        if (partial != null && !isLong) {
            buffer.put(partial.flip());
            partial = null;
        }
        int count = link.read(buffer);
        heardNanos = System.nanoTime();
        buffer.flip();
        if (isLong) {
            complete(buffer);
        }
        if (partial == null) {
            give(buffer);
            if (buffer.hasRemaining()) {
                partial = ByteBuffer.allocate(Math.max(reader.frameBytes(), buffer.remaining())).put(buffer);
            }
        }
        return count >= 0;
    }

    /** Adds bytes to a long frame, and passes it on once it is complete. */
    private void complete(ByteBuffer buffer) throws ProtocolException {
        int count = Math.min(partial.remaining(), buffer.remaining());
        partial.put(buffer.slice(buffer.position(), count));
        buffer.position(buffer.position() + count);
        if (!partial.hasRemaining()) {
            ByteBuffer whole = partial.flip();
            partial = null;
            give(whole);
        }
    }

    private void give(ByteBuffer buffer) throws ProtocolException {
        long now = heardNanos;
        while (reader.next(buffer)) {
            if (!receiver.answered(reader.correlationId(), ResponseCodec.decode(reader), now)) {
                buffer.position(buffer.limit());
            }
        }
    }
}
