package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Reads bytes and turns them into requests. Used by one I/O thread.
 *
 * <p>The buffer of a begun frame grows with what has arrived of it, whatever length it announces.
 */
final class Inbox {
    private static final int READ_BYTES = 1 << 18;
    private static final int LEAST_PARTIAL = 256;

    private final BrokerContext context;
    private final BufferPool pool;
    private final List<Exchange> received;
    private final List<Exchange> answered;
    private final Cancellations cancellations;
    private final Handshake handshake;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    private long receivedBytes;

    /**
     * @param received gets the requests, in order
     * @param answered gets those that were answered at once
     */
    Inbox(BrokerContext context, BufferPool pool, List<Exchange> received, List<Exchange> answered,
            Cancellations cancellations) {
        this.cancellations = cancellations;
        this.answered = answered;
        this.handshake = new Handshake(context.limits(), context.memory(), context.status()::json);
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
        int count = connection.channel.read(buffer.clear());
        if (count < 0 || connection.lingeringUntil != 0) {
            return count >= 0;
        }
        buffer.flip();
        if (connection.client() != 0) {
            // Of a stranger whole requests count, or he could hold a place by a byte now and then.
            connection.heardNanos = start;
        }
        limit(connection);
        try {
            complete(connection, start);
            if (connection.partial == null) {
                while (connection.reader.next(buffer)) {
                    decode(connection, start);
                }
                if (buffer.hasRemaining()) {
                    keep(connection);
                }
            }
        } catch (ProtocolException e) {
            forget(connection);
            throw e;
        }
        context.counters().ioNanos.add(System.nanoTime() - start);
        return true;
    }

    private static void agreed(ClientConnection connection, FrameType type) throws ProtocolException {
        if (!connection.has(Features.CANCEL)) {
            throw new ProtocolException(type.label() + " is a frame of the feature cancel, which was not agreed on");
        }
    }

    /** Long frames are for those who have registered, or have asked to. */
    private void limit(ClientConnection connection) {
        if (connection.client() == 0 && !connection.registering) {
            connection.reader.limit(BrokerLimits.STRANGERS_PAYLOAD, " before its connection has registered");
        } else {
            connection.reader.limit(context.limits().protocol().maxPayloadBytes(), "");
        }
    }

    /** What has arrived of a frame is not needed any more. */
    void forget(ClientConnection connection) {
        if (connection.partial != null) {
            release(connection, connection.partial.capacity());
            connection.partial = null;
        }
    }

    /** @return bytes of the requests since this was asked last */
    long takeReceivedBytes() {
        long bytes = receivedBytes;
        receivedBytes = 0;
        return bytes;
    }

    /** Adds to the begun frame what belongs to it, and decodes it where it is whole. */
    private void complete(ClientConnection connection, long start) throws ProtocolException {
        while (connection.partial != null && buffer.hasRemaining()) {
            int missing = connection.reader.frameBytes() - connection.partial.position();
            int count = Math.min(missing, buffer.remaining());
            makeRoom(connection, count);
            if (connection.partial == null) {
                // It was the greediest, and is sent away.
                buffer.position(buffer.limit());
                return;
            }
            connection.partial.put(buffer.slice(buffer.position(), count));
            buffer.position(buffer.position() + count);
            if (connection.reader.next(connection.partial.flip())) {
                decode(connection, start);
                forget(connection);
            } else {
                connection.partial.position(connection.partial.limit()).limit(connection.partial.capacity());
            }
        }
    }

    /** Keeps the begun frame. */
    private void keep(ClientConnection connection) {
        int capacity = Math.max(LEAST_PARTIAL, buffer.remaining());
        reserve(connection, capacity);
        if (connection.isServed()) {
            connection.partial = ByteBuffer.allocate(capacity).put(buffer);
        } else {
            release(connection, capacity);
        }
    }

    private void makeRoom(ClientConnection connection, int bytes) {
        ByteBuffer partial = connection.partial;
        if (partial.remaining() >= bytes) {
            return;
        }
        int arrived = partial.position() + bytes;
        int capacity = Math.max(arrived, Math.min(2 * partial.capacity(), connection.reader.frameBytes()));
        reserve(connection, capacity);
        if (connection.partial != partial) {
            release(connection, capacity);
            return;
        }
        connection.partial = ByteBuffer.allocate(capacity).put(partial.flip());
        release(connection, partial.capacity());
    }

    /** Counts it as the connection's before it is asked for, so that it is seen who is the greediest. */
    private void reserve(ClientConnection connection, int bytes) {
        connection.memory(bytes);
        pool.reserve(bytes);
    }

    private void release(ClientConnection connection, int bytes) {
        connection.memory(-bytes);
        pool.unreserve(bytes);
    }

    private void decode(ClientConnection connection, long start) throws ProtocolException {
        FrameReader reader = connection.reader;
        Request request = RequestCodec.decode(reader);
        if (reader.correlationId() == 0) {
            throw new ProtocolException("the correlation id of a request is not 0");
        }
        long now = System.nanoTime();
        connection.heardNanos = now;
        if (request.type() == FrameType.CANCEL || request.type() == FrameType.RECEIVED) {
            agreed(connection, request.type());
        }
        if (request.type() == FrameType.RECEIVED) {
            connection.unconfirmed.confirm(reader.correlationId());
            return;
        }
        boolean recorded = context.sample() == 1
                || context.sample() > 0 && ThreadLocalRandom.current().nextInt(context.sample()) == 0;
        context.counters().received(request.type());
        int bytes = BrokerLimits.bytes(request, reader.frameBytes());
        receivedBytes += bytes;
        connection.unanswered++;
        if (request.type() == FrameType.REGISTER) {
            connection.registering = true;
            limit(connection);
        }
        Exchange exchange = new Exchange(connection, reader.correlationId(), request, bytes,
                context.limits().weight(request, reader.frameBytes()), recorded, start, now);
        Response answer = request instanceof Request.Cancel cancel ? cancellations.cancel(connection, cancel.request())
                : handshake.answer(connection, request);
        connection.hasSpoken = true;
        if (connection.unconfirmed != null && exchange.takes()) {
            connection.opened(exchange);
        }
        if (answer == null) {
            received.add(exchange);
        } else {
            exchange.answer(answer);
            answered.add(exchange);
        }
    }
}
