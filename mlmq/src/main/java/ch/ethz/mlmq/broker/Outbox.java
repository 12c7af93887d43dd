package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.ResponseCodec;
import ch.ethz.mlmq.protocol.Status;
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

    private final BrokerContext context;
    private final Dispatcher dispatcher;
    private final BufferPool pool;
    private final Consumer<ClientConnection> closer;
    private final List<ClientConnection> dirty = new ArrayList<>();

    Outbox(BrokerContext context, Dispatcher dispatcher, BufferPool pool, Consumer<ClientConnection> closer) {
        this.context = context;
        this.dispatcher = dispatcher;
        this.pool = pool;
        this.closer = closer;
    }

    void add(Exchange exchange) {
        ClientConnection connection = exchange.connection;
        if (!connection.isOpen()) {
            dispatcher.undeliverable(exchange);
            return;
        }
        exchange.sendingNanos = System.nanoTime();
        exchange.answerStart = connection.encodedBytes;
        add(connection, exchange.correlationId, exchange.response());
        exchange.answerEnd = connection.encodedBytes;
        connection.unwritten.add(exchange);
        if (exchange.request() instanceof Request.Goodbye || isFull(exchange.response())) {
            connection.closeWhenWritten = true;
        }
    }

    void add(ClientConnection connection, int correlationId, Response response) {
        int bytes = ResponseCodec.frameBytes(response);
        if (connection.filling != null && connection.filling.remaining() < bytes) {
            connection.outbound.add(connection.filling.flip());
            connection.filling = null;
        }
        if (connection.filling == null) {
            connection.filling = pool.take(bytes);
        }
        ResponseCodec.encode(response, correlationId, connection.filling);
        connection.encodedBytes += bytes;
        if (!connection.dirty) {
            connection.dirty = true;
            dirty.add(connection);
        }
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

    /** The connection is closed: what it was not even begun to be told goes back. */
    void forget(ClientConnection connection) {
        for (Exchange exchange : connection.unwritten) {
            if (exchange.answerStart >= connection.writtenBytes) {
                dispatcher.undeliverable(exchange);
            }
        }
        connection.unwritten.clear();
        connection.outbound.forEach(pool::giveBack);
        connection.outbound.clear();
        if (connection.filling != null) {
            pool.giveBack(connection.filling);
            connection.filling = null;
        }
    }

    private void write(ClientConnection connection) throws IOException {
        if (connection.filling != null) {
            connection.outbound.add(connection.filling.flip());
            connection.filling = null;
        }
        if (connection.outbound.size() == 1) {
            connection.writtenBytes += connection.channel.write(connection.outbound.peek());
        } else if (!connection.outbound.isEmpty()) {
            connection.writtenBytes += connection.channel.write(connection.outbound.toArray(new ByteBuffer[0]));
        }
        while (!connection.outbound.isEmpty() && !connection.outbound.peek().hasRemaining()) {
            pool.giveBack(connection.outbound.poll());
        }
        written(connection);
        if (connection.outbound.isEmpty() && connection.closeWhenWritten) {
            linger(connection);
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
            connection.congested(true);
            wanted &= ~SelectionKey.OP_READ;
        } else if (connection.isCongested() && connection.unwrittenBytes() <= context.limits().outboundMax() / 2) {
            connection.congested(false);
            wanted |= connection.closeWhenWritten ? 0 : SelectionKey.OP_READ;
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
