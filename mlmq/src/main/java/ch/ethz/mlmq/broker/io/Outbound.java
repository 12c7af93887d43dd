package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.protocol.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Answers of a connection as bytes, until they are written. Belongs to its I/O thread's {@link Outbox}. */
final class Outbound {
    /** Answers that are not written to the last byte. */
    final Deque<Unwritten> unwritten = new ArrayDeque<>(4);
    /** The last answer, once those before it are given; or null. */
    Farewell farewell;
    /** It is among those whose answers are to be written in this round. */
    boolean dirty;
    boolean closeWhenWritten;
    /** When bytes were last taken, or began to wait [ns]. */
    long progressNanos;
    /** Until when what it still sends is read and thrown away, so that it can read its last answer [ns]; or 0. */
    long lingeringUntil;
    /** Whole buffers that are being written, and the one that is still being filled, or null. */
    private final Deque<ByteBuffer> full = new ArrayDeque<>(2);
    private ByteBuffer filling;
    private long encodedBytes;
    private long writtenBytes;

    /** What a connection is told before it is closed. */
    record Farewell(int correlationId, Response.Failure answer) {
    }

    /**
     * An answer.
     *
     * @param start where it begins in the connection's stream of answers
     * @param end   where it ends
     */
    record Unwritten(Exchange exchange, long start, long end) {
    }

    /** @return bytes that were encoded, ever since */
    long encodedBytes() {
        return encodedBytes;
    }

    /** @return bytes that the socket has taken, ever since */
    long writtenBytes() {
        return writtenBytes;
    }

    long unwrittenBytes() {
        return encodedBytes - writtenBytes;
    }

    boolean hasUnwritten() {
        return encodedBytes > writtenBytes;
    }

    /** @return whether no whole buffer waits to be written */
    boolean isEmpty() {
        return full.isEmpty();
    }

    /** @return whether it gives its last answer, or has given it */
    boolean isLeaving() {
        return closeWhenWritten || farewell != null;
    }

    /** @return the buffer that is being filled, or null where there is none with so much room */
    ByteBuffer filling(int bytes) {
        if (filling != null && filling.remaining() < bytes) {
            seal();
        }
        return filling;
    }

    void fill(ByteBuffer fresh) {
        filling = fresh;
    }

    /** So many bytes were added to the buffers. */
    void encoded(int bytes) {
        encodedBytes += bytes;
    }

    /** Writes what the socket takes. @param emptied gets buffers that were written to the last byte */
    void write(SocketChannel channel, Consumer<ByteBuffer> emptied) throws IOException {
        seal();
        long count = 0;
        if (full.size() == 1) {
            count = channel.write(full.peek());
        } else if (!full.isEmpty()) {
            count = channel.write(full.toArray(new ByteBuffer[0]));
        }
        if (count > 0) {
            writtenBytes += count;
            progressNanos = System.nanoTime();
        }
        while (!full.isEmpty() && !full.peek().hasRemaining()) {
            emptied.accept(full.poll());
        }
    }

    /** The connection is closed. @param dropped gets the buffers */
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
