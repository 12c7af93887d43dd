package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.ProtocolException;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads bytes and turns them into requests. Used by one I/O thread. */
final class Inbox {
    private static final int READ_BYTES = 1 << 18;

    private final BrokerContext context;
    private final BufferPool pool;
    private final List<Exchange> received;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    private int untilRecorded;

    /** @param received gets the requests, in order */
    Inbox(BrokerContext context, BufferPool pool, List<Exchange> received) {
        this.context = context;
        this.pool = pool;
        this.received = received;
    }

    /**
     * Reads what has come.
     *
     * @return false where the client has closed the connection
     * @throws ProtocolException where it is no request; those before it are with the others
     */
    boolean read(ClientConnection connection) throws IOException, ProtocolException {
        long start = System.nanoTime();
        if (connection.lingeringUntil != 0) {
            return connection.channel.read(buffer.clear()) >= 0;
        }
        ByteBuffer bytes = connection.partial == null ? buffer.clear() : connection.partial;
        if (connection.channel.read(bytes) < 0) {
            return false;
        }
        bytes.flip();
        try {
            while (connection.reader.next(bytes)) {
                decode(connection, start);
            }
            keep(connection, bytes);
        } catch (ProtocolException e) {
            forget(connection);
            throw e;
        }
        context.counters().ioNanos.add(System.nanoTime() - start);
        return true;
    }

    /** What has arrived of a frame is not needed any more. */
    void forget(ClientConnection connection) {
        if (connection.partial != null) {
            pool.giveBack(connection.partial);
            connection.partial = null;
        }
    }

    private void decode(ClientConnection connection, long start) throws ProtocolException {
        Request request = RequestCodec.decode(connection.reader);
        boolean recorded = context.sample() > 0 && --untilRecorded <= 0;
        if (recorded) {
            untilRecorded = context.sample();
        }
        context.counters().received(request.type());
        received.add(new Exchange(connection, connection.reader.correlationId(), request,
                context.limits().weight(request, connection.reader.frameBytes()), recorded, start, System.nanoTime()));
    }

    /** Keeps the begun frame, in a buffer that holds all of it. */
    private void keep(ClientConnection connection, ByteBuffer bytes) {
        int needed = Math.max(connection.reader.frameBytes(), bytes.remaining());
        if (bytes == connection.partial && needed <= bytes.capacity() && bytes.hasRemaining()) {
            bytes.compact();
            return;
        }
        ByteBuffer kept = bytes.hasRemaining() ? pool.take(needed).put(bytes) : null;
        forget(connection);
        connection.partial = kept;
    }
}
