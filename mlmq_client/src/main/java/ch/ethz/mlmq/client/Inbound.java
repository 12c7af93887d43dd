package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Reads what comes of a connection and makes answers of it. Belongs to the loop's thread. */
final class Inbound {
    private final SocketChannel channel;
    private final FrameReader reader;
    private final Receiver receiver;
    /** What has arrived of a frame, or null where it ended with one. */
    private ByteBuffer partial;
    private long heardNanos = System.nanoTime();

    /** Gets the answers, in the order they came. */
    @FunctionalInterface
    interface Receiver {
        /**
         * @param nanos when it was read [ns]
         * @return whether what came behind it is of use
         */
        boolean answered(int id, Response response, long nanos);
    }

    Inbound(SocketChannel channel, int maxPayloadBytes, Receiver receiver) {
        this.channel = channel;
        this.reader = new FrameReader(maxPayloadBytes);
        this.receiver = receiver;
    }

    /** Both sides have agreed on these {@link ch.ethz.mlmq.protocol.Features}, for the answers that follow. */
    void features(long granted) {
        reader.features(granted);
    }

    /** @return when something came last [ns] */
    long heardNanos() {
        return heardNanos;
    }

    /** @return bytes of the frame of the answer that was given last */
    int frameBytes() {
        return reader.frameBytes();
    }

    /** What has arrived of a frame is not needed any more. */
    void forget() {
        partial = null;
    }

    /**
     * Reads what has come.
     *
     * @param buffer is free again afterwards
     * @return false where the broker has closed the connection
     * @throws ProtocolException where it is no answer; those before it were given
     */
    boolean read(ByteBuffer buffer) throws IOException, ProtocolException {
        if (partial != null && partial.capacity() > buffer.capacity()) {
            return readLongFrame();
        }
        buffer.clear();
        if (partial != null) {
            buffer.put(partial.flip());
            partial = null;
        }
        int count = channel.read(buffer);
        heardNanos = System.nanoTime();
        give(buffer.flip());
        if (buffer.hasRemaining()) {
            partial = ByteBuffer.allocate(Math.max(reader.frameBytes(), buffer.remaining())).put(buffer);
        }
        return count >= 0;
    }

    private boolean readLongFrame() throws IOException, ProtocolException {
        int count = channel.read(partial);
        heardNanos = System.nanoTime();
        if (!partial.hasRemaining()) {
            ByteBuffer whole = partial.flip();
            partial = null;
            give(whole);
        }
        return count >= 0;
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
