package ch.ethz.mlmq.broker;

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
    private final Consumer<ClientConnection> closer;
    private final List<ClientConnection> dirty = new ArrayList<>();

    Outbox(BrokerContext context, Dispatcher dispatcher, Cancellations cancellations, BufferPool pool,
            Consumer<ClientConnection> closer) {
        this.context = context;
        this.cancellations = cancellations;
        this.dispatcher = dispatcher;
        this.pool = pool;
        this.closer = closer;
    }

    void add(Exchange exchange) {
        ClientConnection connection = exchange.connection;
        connection.unanswered--;
        if (exchange.answerBytes == 0) {
            exchange.measureAnswer();
        }
        cancellations.settle(exchange);
        exchange.sendingNanos = System.nanoTime();
        exchange.answerStart = connection.encodedBytes;
        boolean takes = !exchange.taken().isEmpty();
        // The next connection of its client, which may be here already, would ask in vain for what is sent to this one.
        if (!connection.isOpen() || connection.lingeringUntil != 0 || takes && connection.condemned
                || connection.farewell != null && connection.closeWhenWritten
                || !add(connection, exchange.correlationId, exchange.response(), exchange.answerBytes)) {
            dispatcher.undeliverable(exchange);
            return;
        }
        exchange.answerEnd = connection.encodedBytes;
        connection.unwritten.add(exchange);
        if (connection.unconfirmed != null && takes) {
            connection.unconfirmed.add(exchange);
        }
        if (exchange.request() instanceof Request.Register) {
            connection.registering = false;
        }
        if (exchange.request() instanceof Request.Goodbye || isFull(exchange.response())) {
            connection.closeWhenWritten = true;
        }
        if (connection.farewell != null) {
            sayFarewellAfterAll(connection);
        }
    }

    /** A request was forgotten: it gets no answer. */
    void skip(Exchange exchange) {
        exchange.connection.unanswered--;
        if (exchange.connection.unconfirmed != null && exchange.takes()) {
            exchange.connection.settled(exchange);
        }
        if (exchange.connection.farewell != null) {
            sayFarewellAfterAll(exchange.connection);
        }
    }

    /** The connection's last answer, as soon as those to its earlier requests are given. */
    void sayFarewellAfterAll(ClientConnection connection) {
        if (connection.unanswered == 0 && connection.isOpen() && !connection.closeWhenWritten) {
            connection.closeWhenWritten = true;
            Response.Failure answer = connection.farewell.answer();
            add(connection, connection.farewell.correlationId(), answer, ResponseCodec.frameBytes(answer));
        }
    }

    /** The same, though some are not given: they took too long, and are not given any more. */
    void sayFarewellAtLast(ClientConnection connection) {
        connection.unanswered = 0;
        sayFarewellAfterAll(connection);
        flush();
    }

    /** The connection's last answer, at once, out of no buffer of the pool, to one of which nothing is unwritten. */
    void sayFarewellNow(ClientConnection connection, Response.Failure answer) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(ResponseCodec.frameBytes(answer));
        ResponseCodec.encode(answer, 0, frame);
        connection.channel.write(frame.flip());
        linger(connection);
    }

    /** @return false where the connection was the greediest, and is gone */
    private boolean add(ClientConnection connection, int correlationId, Response response, int bytes) {
        if (!connection.hasUnwritten()) {
            connection.progressNanos = System.nanoTime();
        }
        if (bytes > BufferPool.BYTES) {
            ByteBuffer frame = ByteBuffer.allocate(bytes);
            ResponseCodec.encode(response, correlationId, frame);
            if (!spread(connection, frame.flip())) {
                return false;
            }
        } else if (makeRoom(connection, bytes)) {
            ResponseCodec.encode(response, correlationId, connection.filling);
        } else {
            return false;
        }
        connection.encodedBytes += bytes;
        if (!connection.dirty) {
            connection.dirty = true;
            dirty.add(connection);
        }
        return true;
    }

    private boolean spread(ClientConnection connection, ByteBuffer frame) {
        while (frame.hasRemaining()) {
            if (!makeRoom(connection, 1)) {
                return false;
            }
            int count = Math.min(frame.remaining(), connection.filling.remaining());
            connection.filling.put(frame.slice(frame.position(), count));
            frame.position(frame.position() + count);
        }
        return true;
    }

    private boolean makeRoom(ClientConnection connection, int bytes) {
        if (connection.filling != null && connection.filling.remaining() < bytes) {
            connection.outbound.add(connection.filling.flip());
            connection.filling = null;
        }
        if (connection.filling == null) {
            connection.memory(BufferPool.BYTES);
            ByteBuffer buffer = pool.take();
            if (!connection.isOpen()) {
                pool.giveBack(buffer);
                return false;
            }
            connection.filling = buffer;
        }
        return true;
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
            ClientConnection connection = dirty.get(i);
            connection.dirty = false;
            if (connection.isOpen()) {
                try {
                    write(connection);
                } catch (IOException e) {
                    closer.accept(connection);
                }
                all &= connection.outbound.isEmpty();
            }
        }
        dirty.clear();
        return all;
    }

    void writable(ClientConnection connection) throws IOException {
        write(connection);
    }

    /**
     * The system tells that there is room only where there is much of it, so that a client that reads slowly seems to
     * read nothing.
     *
     * @return whether it took a byte now, or is gone
     */
    boolean takesMore(ClientConnection connection) {
        long before = connection.writtenBytes;
        try {
            write(connection);
        } catch (IOException e) {
            closer.accept(connection);
        }
        return !connection.isOpen() || connection.writtenBytes > before;
    }

    /** The connection is closed: what it was not even begun to be told goes back. */
    void forget(ClientConnection connection) {
        for (Exchange exchange : connection.unwritten) {
            if (exchange.answerStart >= connection.writtenBytes
                    && (connection.unconfirmed == null || connection.unconfirmed.withdraw(exchange))) {
                dispatcher.undeliverable(exchange);
            }
        }
        connection.unwritten.clear();
        connection.outbound.forEach(buffer -> giveBack(connection, buffer));
        connection.outbound.clear();
        if (connection.filling != null) {
            giveBack(connection, connection.filling);
            connection.filling = null;
        }
    }

    private void giveBack(ClientConnection connection, ByteBuffer buffer) {
        connection.memory(-BufferPool.BYTES);
        pool.giveBack(buffer);
    }

    private void write(ClientConnection connection) throws IOException {
        if (connection.filling != null) {
            connection.outbound.add(connection.filling.flip());
            connection.filling = null;
        }
        long count = 0;
        if (connection.outbound.size() == 1) {
            count = connection.channel.write(connection.outbound.peek());
        } else if (!connection.outbound.isEmpty()) {
            count = connection.channel.write(connection.outbound.toArray(new ByteBuffer[0]));
        }
        if (count > 0) {
            connection.writtenBytes += count;
            connection.progressNanos = System.nanoTime();
        }
        while (!connection.outbound.isEmpty() && !connection.outbound.peek().hasRemaining()) {
            giveBack(connection, connection.outbound.poll());
        }
        written(connection);
        if (connection.outbound.isEmpty() && connection.closeWhenWritten) {
            if (connection.lingeringUntil == 0) {
                linger(connection);
            }
        } else {
            adjust(connection);
        }
    }

    /** Closing at once, with something unread, would make the client's system throw the last answer away. */
    private static void linger(ClientConnection connection) throws IOException {
        connection.channel.shutdownOutput();
        connection.lingeringUntil = System.nanoTime() + LINGER_NANOS;
        connection.key.interestOps(SelectionKey.OP_READ);
    }

    private void written(ClientConnection connection) {
        Exchange exchange = connection.unwritten.peek();
        if (exchange == null || exchange.answerEnd > connection.writtenBytes) {
            return;
        }
        long now = System.nanoTime();
        while (exchange != null && exchange.answerEnd <= connection.writtenBytes) {
            if (exchange.recorded) {
                context.stageLog().record(exchange, now);
            }
            connection.unwritten.poll();
            exchange = connection.unwritten.peek();
        }
    }

    private void adjust(ClientConnection connection) {
        int wanted = connection.key.interestOps();
        wanted = connection.outbound.isEmpty() ? wanted & ~SelectionKey.OP_WRITE : wanted | SelectionKey.OP_WRITE;
        if (connection.unwrittenBytes() >= context.limits().outboundMax()) {
            if (!connection.isCongested()) {
                connection.congested(true);
                dispatcher.hold(connection);
            }
            wanted &= ~SelectionKey.OP_READ;
        } else if (connection.isCongested() && connection.unwrittenBytes() <= context.limits().outboundMax() / 2) {
            connection.congested(false);
            wanted |= connection.closeWhenWritten || connection.farewell != null ? 0 : SelectionKey.OP_READ;
            dispatcher.resume(connection);
        }
        if (wanted != connection.key.interestOps()) {
            connection.key.interestOps(wanted);
        }
    }

    private static boolean isFull(Response response) {
        return response instanceof Response.Failure failure && failure.status() == Status.BROKER_FULL;
    }
}
