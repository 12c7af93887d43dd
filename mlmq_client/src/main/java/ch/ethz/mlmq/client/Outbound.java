package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.wire.ByteLink;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * Encoded requests of a connection until the socket takes them, with receipts for delivered messages. Guarded by its
 * {@link Pending}.
 */
final class Outbound {
    private static final int FIRST_BYTES = 1_024;
    private static final int KEPT_BYTES = 64 * 1_024;
    /** The JDK copies the bytes of a write, so each write is limited. */
    private static final int WRITE_BYTES = 256 * 1_024;
    private static final int MOST_FRAMES = 4;
    private static final int FRAME_WITHOUT_FIELDS = FrameReader.LENGTH_BYTES + FrameReader.LEAST_PAYLOAD_BYTES;
    /** Bytes of unconfirmed messages after which a receipt is sent, even without a request. */
    private static final int UNCONFIRMED_BYTES = 64 * 1_024;

    private final ByteLink link;
    private final SelectionKey key;
    private final long maxBytes;
    private ByteBuffer bytes = ByteBuffer.allocate(FIRST_BYTES);
    private long lastSentNanos;
    /** Id of the last response with messages, 0 if that is confirmed. */
    private int unconfirmedId;
    private int unconfirmedBytes;

    Outbound(ByteLink link, SelectionKey key, int maxPayloadBytes) {
        this.link = link;
        this.key = key;
        this.maxBytes = (long) MOST_FRAMES * maxPayloadBytes;
    }

    /** @return true if so many bytes wait to be written that no request is accepted */
    boolean isFull() {
        return bytes.position() > maxBytes;
    }

    /** @return when bytes were last added [ns] */
    long lastSentNanos() {
        return lastSentNanos;
    }

    /** Goes out however much waits to go out: it is short, or names what one answer held. */
    void add(Request request, int id) {
        makeRoom(RequestCodec.frameBytes(request));
        encode(request, id, System.nanoTime());
    }

    /** Adds a pending receipt, and makes room for a frame behind it. */
    void makeRoom(int frameBytes) {
        confirm();
        reserve(frameBytes);
    }

    /** Adds a request, for which there must be {@linkplain #makeRoom room}. */
    void encode(Request request, int id, long nowNanos) {
        RequestCodec.encode(request, id, bytes);
        lastSentNanos = nowNanos;
    }

    /** Marks the messages of that response as delivered, or given up; the next bytes include a receipt for it. */
    void toConfirm(int id, int frameBytes) {
        unconfirmedId = id;
        unconfirmedBytes += frameBytes;
    }

    /**
     * Adds a receipt if many bytes are unconfirmed, for a client that sends no requests.
     *
     * @return true if a receipt was added
     */
    boolean confirmMuch() {
        boolean much = unconfirmedBytes >= UNCONFIRMED_BYTES;
        if (much) {
            confirm();
        }
        return much;
    }

    /** Adds a receipt for read messages, so that the broker need not keep them any longer. */
    private void confirm() {
        if (unconfirmedId != 0) {
            reserve(FRAME_WITHOUT_FIELDS);
            bytes.putInt(FrameReader.LEAST_PAYLOAD_BYTES).putInt(FrameType.RECEIVED.code()).putInt(unconfirmedId);
            unconfirmedId = 0;
            unconfirmedBytes = 0;
        }
    }

    private void reserve(int count) {
        if (bytes.remaining() < count) {
            int capacity = Math.max(bytes.capacity() * 2, bytes.position() + count);
            bytes = ByteBuffer.allocate(capacity).put(bytes.flip());
        }
    }

    /** Writes as many bytes as the socket takes. Called on the loop's thread. */
    void write() throws IOException {
        if (bytes.position() == 0 && !link.wantsToWrite(false)) {
            return;
        }
        bytes.flip();
        int end = bytes.limit();
        do {
            bytes.limit(Math.min(end, bytes.position() + WRITE_BYTES));
            link.write(bytes);
        } while (!bytes.hasRemaining() && bytes.position() < end);
        bytes.limit(end).compact();
        boolean more = link.wantsToWrite(bytes.position() > 0);
        if (more != ((key.interestOps() & SelectionKey.OP_WRITE) != 0)) {
            key.interestOps(more ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
        if (bytes.position() == 0 && bytes.capacity() > KEPT_BYTES) {
            bytes = ByteBuffer.allocate(FIRST_BYTES);
        }
    }
}
