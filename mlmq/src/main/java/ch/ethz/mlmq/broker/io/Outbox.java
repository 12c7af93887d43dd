package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.ClientSession;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Unconfirmed;
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
 * Turns answers into bytes and writes them, all answers of a connection in one go. Used by one I/O thread.
 *
 * <p>A connection that does not read is bounded: beyond the limit neither its requests are read nor those already here
 * executed, until it has caught up with half of it.
 */
final class Outbox {
    private static final long LINGER_NANOS = 1_000_000_000;
    /** Connections whose answers are gathered before they are written: each holds a buffer meanwhile. */
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
        link.unanswered--;
        if (exchange.answerBytes() == 0) {
            exchange.measureAnswer();
        }
        cancellations.settle(exchange);
        exchange.stages().sending(System.nanoTime());
        long start = link.outbound.encodedBytes();
        boolean takes = !exchange.taken().isEmpty();
        // The next connection of its client, which may be here already, would ask in vain for what is sent to this one.
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
        }
        if (exchange.request() instanceof Request.Goodbye || isFull(exchange.response())) {
            link.outbound.closeWhenWritten = true;
        }
        if (link.outbound.farewell != null) {
            sayFarewellAfterAll(link);
        }
    }

    private static boolean takesAnswers(SocketLink link) {
        return link.isOpen() && link.outbound.lingeringUntil == 0
                && !(link.outbound.farewell != null && link.outbound.closeWhenWritten);
    }

    /** @return whether the answer is among the bytes that are to be written */
    boolean has(Exchange exchange) {
        Outbound.Unwritten last = SocketLink.of(exchange).outbound.unwritten.peekLast();
        return last != null && last.exchange() == exchange;
    }

    /** A request was forgotten: it gets no answer. */
    void skip(Exchange exchange) {
        SocketLink link = SocketLink.of(exchange);
        link.unanswered--;
        if (link.connection.session().unconfirmed() != null && exchange.takes()) {
            link.settled(exchange);
        }
        if (link.outbound.farewell != null) {
            sayFarewellAfterAll(link);
        }
    }

    /** The connection's last answer, as soon as those to its earlier requests are given. */
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

    /** The same, though some are not given: they took too long, and are not given any more. */
    void sayFarewellAtLast(SocketLink link) {
        link.unanswered = 0;
        sayFarewellAfterAll(link);
        flush();
    }

    /** The connection's last answer, at once, out of no buffer of the pool, to one of which nothing is unwritten. */
    void sayFarewellNow(SocketLink link, Response.Failure answer) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(ResponseCodec.frameBytes(answer));
        ResponseCodec.encode(answer, 0, frame);
        link.channel.write(frame.flip());
        linger(link);
    }

    /** @return false where the connection was the greediest, and is gone */
    private boolean add(SocketLink link, int correlationId, Response response, int bytes) {
        if (!link.outbound.hasUnwritten()) {
            link.outbound.progressNanos = System.nanoTime();
        }
        if (bytes > BufferPool.BYTES) {
            ByteBuffer frame = ByteBuffer.allocate(bytes);
            ResponseCodec.encode(response, correlationId, frame);
            if (!spread(link, frame.flip())) {
                return false;
            }
        } else {
            ByteBuffer buffer = bufferWith(link, bytes);
            if (buffer == null) {
                return false;
            }
            ResponseCodec.encode(response, correlationId, buffer);
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

    /** @return a buffer with so much room; null where the connection was the greediest, and is gone */
    private ByteBuffer bufferWith(SocketLink link, int bytes) {
        ByteBuffer filling = link.outbound.filling(bytes);
        if (filling != null) {
            return filling;
        }
        link.memory(BufferPool.BYTES);
        ByteBuffer fresh = pool.take();
        if (!link.isOpen()) {
            pool.giveBack(fresh);
            return null;
        }
        link.outbound.fill(fresh);
        return fresh;
    }

    /** @return whether so many connections have something to be written that it should be done now */
    boolean isCrowded() {
        return dirty.size() >= CROWD;
    }

    /**
     * Writes what was added, as far as the connections take it.
     *
     * @return whether they took all of it
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
                all &= link.outbound.isEmpty();
            }
        }
        dirty.clear();
        return all;
    }

    void writable(SocketLink link) throws IOException {
        write(link);
    }

    /**
     * The system tells that there is room only where there is much of it, so that a client that reads slowly seems to
     * read nothing.
     *
     * @return whether it took a byte now, or is gone
     */
    boolean takesMore(SocketLink link) {
        long before = link.outbound.writtenBytes();
        try {
            write(link);
        } catch (IOException e) {
            closer.accept(link);
        }
        return !link.isOpen() || link.outbound.writtenBytes() > before;
    }

    /** The connection is closed: what it was not even begun to be told goes back. */
    void forget(SocketLink link) {
        Unconfirmed kept = link.connection.session().unconfirmed();
        for (Outbound.Unwritten answer : link.outbound.unwritten) {
            if (answer.start() >= link.outbound.writtenBytes() && (kept == null || kept.withdraw(answer.exchange()))) {
                dispatcher.undeliverable(answer.exchange());
            }
        }
        link.outbound.unwritten.clear();
        link.outbound.drop(buffer -> giveBack(link, buffer));
    }

    private void giveBack(SocketLink link, ByteBuffer buffer) {
        link.memory(-BufferPool.BYTES);
        pool.giveBack(buffer);
    }

    private void write(SocketLink link) throws IOException {
        link.outbound.write(link.channel, buffer -> giveBack(link, buffer));
        written(link.outbound);
        if (link.outbound.isEmpty() && link.outbound.closeWhenWritten) {
            if (link.outbound.lingeringUntil == 0) {
                linger(link);
            }
        } else {
            adjust(link);
        }
    }

    /** Closing at once, with something unread, would make the client's system throw the last answer away. */
    private static void linger(SocketLink link) throws IOException {
        link.channel.shutdownOutput();
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
        wanted = outbound.isEmpty() ? wanted & ~SelectionKey.OP_WRITE : wanted | SelectionKey.OP_WRITE;
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

    private static boolean isFull(Response response) {
        return response instanceof Response.Failure failure && failure.status() == Status.BROKER_FULL;
    }
}
