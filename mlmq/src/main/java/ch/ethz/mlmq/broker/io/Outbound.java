package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.ByteLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Encoded responses of a connection until they are written. Belongs to its I/O thread's {@link Outbox}. */
final class Outbound {
    /** Responses that are not completely written. */
    final Deque<Unwritten> unwritten = new ArrayDeque<>(4);
    /** The last response, sent after all earlier ones, or null. */
    Farewell farewell;
    /** True if its responses are to be written in this round. */
    boolean dirty;
    boolean closeWhenWritten;
    /** When the socket last took bytes, or when bytes began to wait [ns]. */
    long progressNanos;
    /**
     * Time until which further input is read and discarded, so that the client can read its last response [ns]; or 0.
     */
    long lingeringUntil;
    /** Full buffers that are being written, and the buffer that is still being filled, or null. */
    private final Deque<ByteBuffer> full = new ArrayDeque<>(2);
    private ByteBuffer filling;
    private long encodedBytes;
    private long writtenBytes;

    /** The response that a connection gets before it is closed. */
    record Farewell(int correlationId, Response.Failure answer) {
    }

    /**
     * A response that is not completely written.
     *
     * @param start position of its first byte in the connection's stream of responses
     * @param end   position after its last byte
     */
    record Unwritten(Exchange exchange, long start, long end) {
    }

    /** @return bytes encoded since the connection was opened */
    long encodedBytes() {
        return encodedBytes;
    }

    /** @return bytes that the socket has taken since the connection was opened */
    long writtenBytes() {
        return writtenBytes;
    }

    long unwrittenBytes() {
        return encodedBytes - writtenBytes;
    }

    boolean hasUnwritten() {
        return encodedBytes > writtenBytes;
    }

    /** @return true if no full buffer waits to be written */
    boolean isEmpty() {
        return full.isEmpty();
    }

    /** @return true if its last response is being written, or was written */
    boolean isLeaving() {
        return closeWhenWritten || farewell != null;
    }

    /** @return the buffer that is being filled, or null if no buffer has that much room */
    ByteBuffer filling(int bytes) {
        if (filling != null && filling.remaining() < bytes) {
            seal();
        }
        return filling;
    }

    void fill(ByteBuffer fresh) {
        filling = fresh;
    }

    /** Counts bytes that were added to the buffers. */
    void encoded(int bytes) {
        encodedBytes += bytes;
    }

    /** Writes as many bytes as the socket takes. @param emptied gets buffers that were written completely */
    void write(ByteLink link, Consumer<ByteBuffer> emptied) throws IOException {
        seal();
        long count = 0;
        long before = link.writtenBytes();
        if (full.size() == 1) {
            count = link.write(full.peek());
        } else if (!full.isEmpty() || link.wantsToWrite(false)) {
            count = link.write(full.toArray(new ByteBuffer[0]));
        }
        writtenBytes += count;
        if (link.writtenBytes() > before) {
            progressNanos = System.nanoTime();
        }
        while (!full.isEmpty() && !full.peek().hasRemaining()) {
            emptied.accept(full.poll());
        }
    }

    /** Drops the buffers of a closed connection. @param dropped gets the buffers */
    void drop(Consumer<ByteBuffer> dropped) {
        seal();
        full.forEach(dropped);
        full.clear();
    }

    private void seal() {
        if (filling != null) {
            full.add(filling.flip());
            filling = null;
        }
    }
}
