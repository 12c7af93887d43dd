package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.ClientSession;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Encodes responses and writes all responses of a connection together. Used by one I/O thread.
 *
 * <p>Unread responses of a connection are limited: beyond the limit neither are its requests read, nor those already
 * read executed, until half of the limit is free again.
 */
final class Outbox {
    private static final long LINGER_NANOS = 1_000_000_000;
    /** Connections whose responses are gathered before they are written; each holds a buffer meanwhile. */
    private static final int CROWD = 200;

    private final BrokerContext context;
    private final Dispatcher dispatcher;
    private final Cancellations cancellations;
    private final BufferPool pool;
    private final Consumer<SocketLink> closer;
    private final List<SocketLink> dirty = new ArrayList<>();

    Outbox(BrokerContext context, Dispatcher dispatcher, Cancellations cancellations, BufferPool pool,
            Consumer<SocketLink> closer) {
        this.context = context;
        this.cancellations = cancellations;
        this.dispatcher = dispatcher;
        this.pool = pool;
        this.closer = closer;
    }

    void add(Exchange exchange) {
        SocketLink link = SocketLink.of(exchange);
        ClientSession session = link.connection.session();
        link.answered(exchange);
        if (exchange.answerBytes() == 0) {
            exchange.measureAnswer();
        }
        cancellations.settle(exchange);
        exchange.stages().sending(System.nanoTime());
        long start = link.outbound.encodedBytes();
        boolean takes = !exchange.taken().isEmpty();
        // A condemned connection gets no messages: its client's next connection may be open and could not claim
        // them.
        if (!takesAnswers(link) || takes && session.isCondemned()
                || !add(link, exchange.correlationId(), exchange.response(), exchange.answerBytes())) {
            dispatcher.undeliverable(exchange);
            return;
        }
        link.outbound.unwritten.add(new Outbound.Unwritten(exchange, start, link.outbound.encodedBytes()));
        if (session.unconfirmed() != null && takes) {
            session.unconfirmed().add(exchange);
        }
        if (exchange.request() instanceof Request.Register) {
            link.inbound.registering = false;
            link.inbound.takingOver = false;
        }
        if (exchange.request() instanceof Request.Goodbye || isShutOut(link, exchange)
                || exchange.connection().isRefused() && exchange.response() == exchange.connection().refusal()) {
            link.outbound.closeWhenWritten = true;
        }
        if (link.outbound.farewell != null) {
            sayFarewellAfterAll(link);
        }
    }

    private static boolean isShutOut(SocketLink link, Exchange exchange) {
        return exchange.response() instanceof Response.Failure failure
                && (exchange.request() instanceof Request.Authenticate && failure.status() == Status.NOT_AUTHENTICATED
                        || link.inbound.shutOut && failure.status() == Status.OVERLOADED);
    }

    private static boolean takesAnswers(SocketLink link) {
        return link.isOpen() && link.outbound.lingeringUntil == 0
                && !(link.outbound.farewell != null && link.outbound.closeWhenWritten);
    }

    /** @return true if the response is the last one among the bytes to be written */
    boolean has(Exchange exchange) {
        Outbound.Unwritten last = SocketLink.of(exchange).outbound.unwritten.peekLast();
        return last != null && last.exchange() == exchange;
    }

    /** Skips a request that was dropped: it gets no response. */
    void skip(Exchange exchange) {
        SocketLink link = SocketLink.of(exchange);
        link.answered(exchange);
        if (link.connection.session().unconfirmed() != null && exchange.takes()) {
            link.settled(exchange);
        }
        if (link.outbound.farewell != null) {
            sayFarewellAfterAll(link);
        }
    }

    /** Sends the connection's last response as soon as its earlier requests have theirs. */
    void sayFarewell(SocketLink link, Outbound.Farewell farewell) {
        link.outbound.farewell = farewell;
        if (link.unanswered > 0) {
            dispatcher.waitNoMore(link.connection);
        }
        sayFarewellAfterAll(link);
    }

    private void sayFarewellAfterAll(SocketLink link) {
        if (link.unanswered == 0 && link.isOpen() && !link.outbound.closeWhenWritten) {
            link.outbound.closeWhenWritten = true;
            Response.Failure answer = link.outbound.farewell.answer();
            add(link, link.outbound.farewell.correlationId(), answer, ResponseCodec.frameBytes(answer));
        }
    }

    /** Sends the last response now, and skips earlier responses that took too long. */
    void sayFarewellAtLast(SocketLink link) {
        link.unanswered = 0;
        sayFarewellAfterAll(link);
        flush();
    }

    /** Sends the last response at once, without a pooled buffer, to a connection that has nothing unwritten. */
    void sayFarewellNow(SocketLink link, Response.Failure answer) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(ResponseCodec.frameBytes(answer));
        ResponseCodec.encode(answer, 0, frame);
        link.bytes.write(frame.flip());
        linger(link);
    }

    /** Sends the last response in the clear, to a client that does not know of TLS. */
    static void sayFarewellInTheClear(SocketLink link, Response.Failure answer) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(ResponseCodec.frameBytes(answer));
        ResponseCodec.encode(answer, 0, frame);
        link.channel.write(frame.flip());
        link.channel.shutdownOutput();
        lingerOn(link);
    }

    /** @return false if the connection used most memory and was closed */
    private boolean add(SocketLink link, int correlationId, Response response, int bytes) {
        if (!link.outbound.hasUnwritten()) {
            link.outbound.progressNanos = System.nanoTime();
        }
        if (bytes > BufferPool.BYTES) {
            ByteBuffer frame = ByteBuffer.allocate(bytes);
            ResponseCodec.encode(response, correlationId, frame, link.has(Features.PROPERTIES));
            if (!spread(link, frame.flip())) {
                return false;
            }
        } else {
            ByteBuffer buffer = bufferWith(link, bytes);
            if (buffer == null) {
                return false;
            }
            ResponseCodec.encode(response, correlationId, buffer, link.has(Features.PROPERTIES));
        }
        link.outbound.encoded(bytes);
        if (!link.outbound.dirty) {
            link.outbound.dirty = true;
            dirty.add(link);
        }
        return true;
    }

    private boolean spread(SocketLink link, ByteBuffer frame) {
        while (frame.hasRemaining()) {
            ByteBuffer buffer = bufferWith(link, 1);
            if (buffer == null) {
                return false;
            }
            int count = Math.min(frame.remaining(), buffer.remaining());
            buffer.put(frame.slice(frame.position(), count));
            frame.position(frame.position() + count);
        }
        return true;
    }

    /** @return a buffer with that much room; null if the connection used most memory and was closed */
    private ByteBuffer bufferWith(SocketLink link, int bytes) {
        ByteBuffer filling = link.outbound.filling(bytes);
        if (filling != null) {
            return filling;
        }
        link.memory(BufferPool.BYTES);
        ByteBuffer fresh = pool.take();
        if (!link.isOpen()) {
            pool.release(fresh);
            return null;
        }
        link.outbound.fill(fresh);
        return fresh;
    }

    /** @return true if so many connections have responses to write that they should be written now */
    boolean isCrowded() {
        return dirty.size() >= CROWD;
    }

    /**
     * Writes the added responses as far as the connections take them.
     *
     * @return true if they took all bytes
     */
    boolean flush() {
        boolean all = true;
        for (int i = 0; i < dirty.size(); i++) {
            SocketLink link = dirty.get(i);
            link.outbound.dirty = false;
            if (link.isOpen()) {
                try {
                    write(link);
                } catch (IOException e) {
                    closer.accept(link);
                }
                all &= !link.isOpen() || !link.hasUnsent();
            }
        }
        dirty.clear();
        return all;
    }

    void writable(SocketLink link) throws IOException {
        write(link);
    }

    /**
     * Tries to write to the connection. The system reports a socket as writable only when it has much room, so a slow
     * reader looks like one that reads nothing.
     *
     * @return true if the socket took a byte, or the connection is closed
     */
    boolean takesMore(SocketLink link) {
        long before = link.bytes.writtenBytes();
        try {
            write(link);
        } catch (IOException e) {
            closer.accept(link);
        }
        return !link.isOpen() || link.bytes.writtenBytes() > before;
    }

    /** Forgets a closed connection, and requeues messages of responses of which no byte was written. */
    void forget(SocketLink link) {
        Unconfirmed kept = link.connection.session().unconfirmed();
        for (Outbound.Unwritten answer : link.outbound.unwritten) {
            if (answer.start() >= link.outbound.writtenBytes() && (kept == null || kept.withdraw(answer.exchange()))) {
                dispatcher.undeliverable(answer.exchange());
            }
        }
        link.outbound.unwritten.clear();
        link.memory(-link.heldBytes);
        pool.unreserve(link.heldBytes);
        link.heldBytes = 0;
        link.outbound.drop(buffer -> release(link, buffer));
    }

    private void release(SocketLink link, ByteBuffer buffer) {
        link.memory(-BufferPool.BYTES);
        pool.release(buffer);
    }

    private void write(SocketLink link) throws IOException {
        link.outbound.write(link.bytes, buffer -> release(link, buffer));
        count(link);
        written(link.outbound);
        if (!link.hasUnsent() && link.outbound.closeWhenWritten) {
            if (link.outbound.lingeringUntil == 0) {
                linger(link);
            }
        } else {
            adjust(link);
        }
    }

    /** Counts the encrypted bytes that the connection holds as its memory. */
    void count(SocketLink link) {
        int change = link.isOpen() ? link.bytes.heldBytes() - link.heldBytes : 0;
        if (change != 0) {
            link.heldBytes += change;
            link.memory(change);
            if (change > 0) {
                pool.reserveAnyway(change);
            } else {
                pool.unreserve(-change);
            }
        }
    }

    /** Delays the close: closing a socket with unread bytes makes the client's system discard the last response. */
    private static void linger(SocketLink link) throws IOException {
        link.bytes.shutdownOutput();
        lingerOn(link);
    }

    private static void lingerOn(SocketLink link) {
        link.outbound.lingeringUntil = System.nanoTime() + LINGER_NANOS;
        link.key.interestOps(SelectionKey.OP_READ);
    }

    private void written(Outbound outbound) {
        Outbound.Unwritten answer = outbound.unwritten.peek();
        if (answer == null || answer.end() > outbound.writtenBytes()) {
            return;
        }
        long now = System.nanoTime();
        while (answer != null && answer.end() <= outbound.writtenBytes()) {
            if (answer.exchange().stages().areRecorded()) {
                context.stageLog().record(answer.exchange(), now);
            }
            outbound.unwritten.poll();
            answer = outbound.unwritten.peek();
        }
    }

    private void adjust(SocketLink link) {
        Outbound outbound = link.outbound;
        int wanted = link.key.interestOps();
        wanted = link.bytes.wantsToWrite(!outbound.isEmpty()) ? wanted | SelectionKey.OP_WRITE
                : wanted & ~SelectionKey.OP_WRITE;
        if (outbound.unwrittenBytes() >= context.limits().outboundMax()) {
            if (!link.isCongested()) {
                link.congested(true);
                dispatcher.hold(link.connection);
            }
            wanted &= ~SelectionKey.OP_READ;
        } else if (link.isCongested() && outbound.unwrittenBytes() <= context.limits().outboundMax() / 2) {
            link.congested(false);
            wanted |= outbound.isLeaving() ? 0 : SelectionKey.OP_READ;
            dispatcher.resume(link.connection);
        }
        if (wanted != link.key.interestOps()) {
            link.key.interestOps(wanted);
        }
    }
}
