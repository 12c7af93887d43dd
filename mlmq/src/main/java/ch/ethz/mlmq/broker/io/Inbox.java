package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.limits.BrokerLimits;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Stages;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import ch.ethz.mlmq.storage.TemporaryClients;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads bytes and decodes them to requests. Used by one I/O thread.
 *
 * <p>The buffer of a begun frame grows with the bytes that have arrived, not with the length that the frame announces.
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
     * @param answered gets those that got a response at once
     */
    Inbox(BrokerContext context, BufferPool pool, List<Exchange> received, List<Exchange> answered,
            Cancellations cancellations) {
        this.cancellations = cancellations;
        this.answered = answered;
        this.handshake = new Handshake(context);
        this.context = context;
        this.pool = pool;
        this.received = received;
    }

    /**
     * Reads the bytes that have arrived.
     *
     * @return false if the client has closed the connection
     * @throws ProtocolException if a frame is no valid request; requests before it are in {@code received}
     */
    boolean read(SocketLink link) throws IOException, ProtocolException {
        long start = System.nanoTime();
        buffer.clear();
        // What comes after the last response is discarded, so it need not be decrypted.
        int count = link.outbound.lingeringUntil == 0 ? link.bytes.read(buffer) : link.channel.read(buffer);
        if (count < 0 || link.outbound.lingeringUntil != 0) {
            return count >= 0;
        }
        buffer.flip();
        if (link.connection.session().client() != 0) {
            // Before registration only whole requests count, or a connection could hold its place by single bytes.
            link.inbound.heardNanos = start;
        }
        limit(link);
        try {
            complete(link, start);
            if (link.inbound.partial == null) {
                while (link.inbound.reader.next(buffer)) {
                    decode(link, start);
                }
                if (buffer.hasRemaining()) {
                    keep(link);
                }
            }
        } catch (ProtocolException e) {
            forget(link);
            throw e;
        }
        context.counters().ioNanos.add(System.nanoTime() - start);
        return true;
    }

    private static void agreed(SocketLink link, FrameType type) throws ProtocolException {
        long feature = Features.neededBy(type);
        if (feature != 0 && !link.has(feature)) {
            throw new ProtocolException(type.label() + " is a frame of the feature " + Features.nameOf(type)
                    + ", which was not agreed on");
        }
    }

    /** Allows long frames only to connections that have registered, or have asked to. */
    private void limit(SocketLink link) {
        if (link.connection.session().client() == 0 && !link.inbound.registering) {
            link.inbound.reader.limit(BrokerLimits.STRANGERS_PAYLOAD, " before its connection has registered");
        } else {
            link.inbound.reader.limit(context.limits().protocol().maxPayloadBytes(), "");
        }
    }

    /** Frees the buffer of a begun frame that is no longer needed. */
    void forget(SocketLink link) {
        if (link.inbound.partial != null) {
            release(link, link.inbound.partial.capacity());
            link.inbound.partial = null;
        }
    }

    /** @return bytes of the requests since the last call */
    long takeReceivedBytes() {
        long bytes = receivedBytes;
        receivedBytes = 0;
        return bytes;
    }

    /** Adds the rest of a begun frame, and decodes the frame once it is complete. */
    private void complete(SocketLink link, long start) throws ProtocolException {
        while (link.inbound.partial != null && buffer.hasRemaining()) {
            int missing = link.inbound.reader.frameBytes() - link.inbound.partial.position();
            int count = Math.min(missing, buffer.remaining());
            makeRoom(link, count);
            if (link.inbound.partial == null) {
                // This connection used most memory and was closed to make room.
                buffer.position(buffer.limit());
                return;
            }
            link.inbound.partial.put(buffer.slice(buffer.position(), count));
            buffer.position(buffer.position() + count);
            if (link.inbound.reader.next(link.inbound.partial.flip())) {
                decode(link, start);
                forget(link);
            } else {
                link.inbound.partial.position(link.inbound.partial.limit()).limit(link.inbound.partial.capacity());
            }
        }
    }

    /** Keeps the bytes of a begun frame. */
    private void keep(SocketLink link) {
        int capacity = Math.max(LEAST_PARTIAL, buffer.remaining());
        reserve(link, capacity);
        if (link.connection.isServed()) {
            link.inbound.partial = ByteBuffer.allocate(capacity).put(buffer);
        } else {
            release(link, capacity);
        }
    }

    private void makeRoom(SocketLink link, int bytes) {
        ByteBuffer partial = link.inbound.partial;
        if (partial.remaining() >= bytes) {
            return;
        }
        int arrived = partial.position() + bytes;
        int capacity = Math.max(arrived, Math.min(2 * partial.capacity(), link.inbound.reader.frameBytes()));
        reserve(link, capacity);
        if (link.inbound.partial != partial) {
            release(link, capacity);
            return;
        }
        link.inbound.partial = ByteBuffer.allocate(capacity).put(partial.flip());
        release(link, partial.capacity());
    }

    /**
     * Counts the bytes as the connection's before it reserves them, so that the connection that uses most memory is
     * known.
     */
    private void reserve(SocketLink link, int bytes) {
        link.memory(bytes);
        pool.reserve(bytes);
    }

    private void release(SocketLink link, int bytes) {
        link.memory(-bytes);
        pool.unreserve(bytes);
    }

    private void decode(SocketLink link, long start) throws ProtocolException {
        FrameReader reader = link.inbound.reader;
        Request request = RequestCodec.decode(reader);
        if (request instanceof Request.Register register) {
            request = TemporaryClients.named(register, link.has(Features.TEMPORARY_CLIENTS));
        }
        if (reader.correlationId() == 0) {
            throw new ProtocolException("the correlation id of a request must not be 0");
        }
        long now = System.nanoTime();
        if (!link.connection.isRefused() && !handshake.isStranger(link) && link.holdings.exceeded() == null) {
            link.inbound.heardNanos = now;
        }
        agreed(link, request.type());
        if (request.type() == FrameType.RECEIVED) {
            link.connection.session().unconfirmed().confirm(reader.correlationId());
            return;
        }
        context.counters().received(request.type());
        if (request.type() == FrameType.REGISTER && !handshake.isStranger(link)) {
            link.inbound.registering = true;
            limit(link);
        }
        int bytes = BrokerLimits.bytes(request, reader.frameBytes());
        receivedBytes += bytes;
        link.asked(bytes);
        received(link, new Exchange(link.connection, reader.correlationId(), request,
                new Exchange.Size(bytes, context.limits().weight(request, reader.frameBytes())),
                new Stages(context.stageLog().isSampled(), start, now)));
    }

    /** Responds to requests that concern only the connection; passes the others on. */
    private void received(SocketLink link, Exchange exchange) {
        Request request = exchange.request();
        Response answer = handshake.answer(link, request);
        if (answer == null && request instanceof Request.Cancel cancel) {
            answer = cancellations.cancel(link, cancel.request());
        }
        if (answer == null) {
            String obstacle = link.holdings.obstacle(exchange.stages().receivedNanos());
            answer = obstacle == null ? null : context.limited(link.who(), obstacle);
        }
        link.inbound.hasSpoken = true;
        if (link.connection.session().unconfirmed() != null && exchange.takes()) {
            link.opened(exchange);
        }
        if (answer == null) {
            received.add(exchange);
        } else {
            exchange.answer(answer);
            answered.add(exchange);
        }
    }
}
