package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * An open connection to one broker: requests go out in the order they were submitted, answers complete them by
 * correlation id. Any thread may submit; the rest happens on the loop's thread.
 */
final class Connection implements ReadyHandler {
    private static final int FIRST_OUTBOUND_BYTES = 1_024;
    private static final int KEPT_OUTBOUND_BYTES = 64 * 1_024;
    /** The JDK copies what it is given to write, so not too much at a time. */
    private static final int WRITE_BYTES = 256 * 1_024;
    private static final int OUTBOUND_FRAMES = 4;
    private static final long NOT_ARMED = Long.MAX_VALUE;
    private static final int SIGNS_OF_A_LIMIT = 3;

    private final ClientLoop loop;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final int maxPayloadBytes;
    private final long maxOutboundBytes;
    private final FrameReader reader;
    private final LongAdder lateAnswers;
    private final Consumer<String> lost;

    // Guarded by this.
    private final InFlightTable inFlight;
    private ByteBuffer outbound = ByteBuffer.allocate(FIRST_OUTBOUND_BYTES);
    private boolean flushPending;
    private boolean closed;
    private long earliestNanos = NOT_ARMED;
    private long lastSentNanos;

    // Used by the loop's thread alone.
    private ByteBuffer partial;
    private long armedNanos = NOT_ARMED;
    private long heardNanos = System.nanoTime();

    /** @param lost told once, with the reason, where the connection ends otherwise than by {@link #close} */
    Connection(ClientLoop loop, SocketChannel channel, SelectionKey key, ClientConfig config, LongAdder lateAnswers,
               Consumer<String> lost) {
        this.loop = loop;
        this.channel = channel;
        this.key = key;
        this.maxPayloadBytes = config.maxPayloadBytes();
        this.maxOutboundBytes = (long) OUTBOUND_FRAMES * maxPayloadBytes;
        this.reader = new FrameReader(maxPayloadBytes);
        this.inFlight = new InFlightTable(config.inflightMax());
        this.lateAnswers = lateAnswers;
        this.lost = lost;
    }

    /** @return {@link Status#OK} where the completion will be called, else why it will not */
    Status submit(Request request, long timeoutNanos, long tag, Completion completion) {
        int bytes = RequestCodec.frameBytes(request);
        if (bytes - FrameReader.LENGTH_BYTES > maxPayloadBytes) {
            return Status.CONTENT_TOO_LONG;
        }
        boolean first;
        synchronized (this) {
            if (closed) {
                return Status.NOT_CONNECTED;
            }
            if (inFlight.isFull() || outbound.position() > maxOutboundBytes) {
                return Status.TOO_MANY_IN_FLIGHT;
            }
            makeRoom(bytes);
            long now = System.nanoTime();
            lastSentNanos = now;
            int id = inFlight.add(completion, tag, now, now + timeoutNanos);
            RequestCodec.encode(request, id, outbound);
            if (earliestNanos == NOT_ARMED || now + timeoutNanos - earliestNanos < 0) {
                earliestNanos = now + timeoutNanos;
            }
            first = !flushPending;
            flushPending = true;
        }
        if (first) {
            loop.flushSoon(this);
        }
        return Status.OK;
    }

    /** Both sides have agreed on this, for all that follows. */
    void agreed(Response.Welcome welcome) {
        reader.features(welcome.features());
        if ((welcome.features() & Features.KEEP_ALIVE) != 0 && welcome.keepAliveMillis() > 0) {
            keepAlive(TimeUnit.MILLISECONDS.toNanos(welcome.keepAliveMillis()));
        }
    }

    /**
     * Says something several times within the limit, and takes the broker for gone where it says nothing for as long.
     */
    private void keepAlive(long limitNanos) {
        long now = System.nanoTime();
        boolean quiet;
        synchronized (this) {
            if (closed) {
                return;
            }
            quiet = now - Math.min(lastSentNanos, heardNanos) > limitNanos / SIGNS_OF_A_LIMIT / 2;
            if (quiet) {
                Request sign = new Request.KeepAlive();
                makeRoom(RequestCodec.frameBytes(sign));
                RequestCodec.encode(sign, InFlightTable.SIGN_OF_LIFE, outbound);
                lastSentNanos = now;
                flushPending = true;
            }
        }
        if (now - heardNanos > limitNanos) {
            fail("the broker gave no sign of life for " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms");
            return;
        }
        if (quiet) {
            flush();
        }
        loop.schedule(limitNanos / SIGNS_OF_A_LIMIT, () -> keepAlive(limitNanos));
    }

    synchronized int inFlight() {
        return inFlight.size();
    }

    /** Ends the connection; what is in flight fails. */
    void close(String reason) {
        end(reason, Status.CONNECTION_LOST, null, false);
    }

    @Override
    public void ready(SelectionKey selected) {
        try {
            int operations = selected.readyOps();
            if ((operations & SelectionKey.OP_WRITE) != 0) {
                flush();
            }
            if ((operations & SelectionKey.OP_READ) != 0) {
                read();
            }
        } catch (IOException e) {
            broken(e);
        } catch (ProtocolException e) {
            end("the broker sent what is no frame: " + e.getMessage(), Status.PROTOCOL_ERROR, null, true);
        }
    }

    /** Writes what the socket takes, and arms the timer of what was submitted. */
    void flush() {
        try {
            synchronized (this) {
                flushPending = false;
                if (closed) {
                    return;
                }
                write();
            }
            armTimer();
        } catch (IOException e) {
            broken(e);
        }
    }

    private void broken(IOException e) {
        fail("the connection broke (" + e.getMessage() + ")");
    }

    private void write() throws IOException {
        if (outbound.position() == 0) {
            return;
        }
        outbound.flip();
        int end = outbound.limit();
        do {
            outbound.limit(Math.min(end, outbound.position() + WRITE_BYTES));
            channel.write(outbound);
        } while (!outbound.hasRemaining() && outbound.position() < end);
        outbound.limit(end).compact();
        boolean more = outbound.position() > 0;
        if (more != ((key.interestOps() & SelectionKey.OP_WRITE) != 0)) {
            key.interestOps(more ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
        if (!more && outbound.capacity() > KEPT_OUTBOUND_BYTES) {
            outbound = ByteBuffer.allocate(FIRST_OUTBOUND_BYTES);
        }
    }

    private void makeRoom(int bytes) {
        if (outbound.remaining() < bytes) {
            int capacity = Math.max(outbound.capacity() * 2, outbound.position() + bytes);
            outbound = ByteBuffer.allocate(capacity).put(outbound.flip());
        }
    }

    private void read() throws IOException, ProtocolException {
        ByteBuffer buffer = loop.readBuffer();
        if (partial != null && partial.capacity() > buffer.capacity()) {
            readLongFrame();
            return;
        }
        buffer.clear();
        if (partial != null) {
            buffer.put(partial.flip());
            partial = null;
        }
        int count = channel.read(buffer);
        heardNanos = System.nanoTime();
        buffer.flip();
        complete(buffer);
        if (buffer.hasRemaining()) {
            partial = ByteBuffer.allocate(Math.max(reader.frameBytes(), buffer.remaining())).put(buffer);
        }
        if (count < 0) {
            fail("the broker closed the connection");
        }
    }

    private void readLongFrame() throws IOException, ProtocolException {
        int count = channel.read(partial);
        heardNanos = System.nanoTime();
        if (!partial.hasRemaining()) {
            ByteBuffer whole = partial.flip();
            partial = null;
            complete(whole);
        }
        if (count < 0) {
            fail("the broker closed the connection");
        }
    }

    private void complete(ByteBuffer buffer) throws ProtocolException {
        long now = System.nanoTime();
        while (reader.next(buffer)) {
            Response response = ResponseCodec.decode(reader);
            int id = reader.correlationId();
            if (id == 0 && response instanceof Response.Failure failure) {
                buffer.position(buffer.limit());
                if (failure.status() == Status.CONNECTION_CLOSED) {
                    fail("the broker closed the connection: " + failure.text());
                } else {
                    end(failure.text(), failure.status(), failure, true);
                }
                return;
            }
            complete(id, response, now);
        }
    }

    private void complete(int id, Response response, long now) {
        Completion completion;
        long tag;
        long sentNanos;
        synchronized (this) {
            InFlightTable.Entry entry = inFlight.find(id);
            if (id == InFlightTable.SIGN_OF_LIFE) {
                return;
            }
            if (entry == null) {
                lateAnswers.increment();
                return;
            }
            completion = entry.completion();
            tag = entry.tag();
            sentNanos = entry.sentNanos();
            inFlight.remove(entry);
        }
        Status status = response instanceof Response.Failure failure ? failure.status() : Status.OK;
        ClientLoop.complete(completion, tag, status, response, sentNanos, now);
    }

    private void armTimer() {
        long earliest;
        synchronized (this) {
            earliest = earliestNanos;
        }
        if (earliest != NOT_ARMED && (armedNanos == NOT_ARMED || earliest - armedNanos < 0)) {
            armedNanos = earliest;
            loop.schedule(earliest - System.nanoTime(), () -> expire(earliest));
        }
    }

    private void expire(long firedNanos) {
        if (firedNanos != armedNanos) {
            return;
        }
        long now = System.nanoTime();
        armedNanos = NOT_ARMED;
        List<InFlightTable.Entry> overdue;
        synchronized (this) {
            if (closed) {
                return;
            }
            overdue = inFlight.removeOverdue(now);
            long nanos = inFlight.nanosToNextDeadline(now);
            earliestNanos = nanos == Long.MAX_VALUE ? NOT_ARMED : now + nanos;
        }
        overdue.forEach(entry -> fail(entry, Status.TIMEOUT, null, now));
        armTimer();
    }

    private void fail(String reason) {
        end(reason, Status.CONNECTION_LOST, null, true);
    }

    private void end(String reason, Status status, Response response, boolean tell) {
        List<InFlightTable.Entry> waiting;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            waiting = inFlight.removeAll();
        }
        partial = null;
        try {
            channel.close();
        } catch (IOException e) {
            // it is gone either way, and the reason is known already
        }
        if (tell) {
            lost.accept(reason);
        }
        long now = System.nanoTime();
        waiting.forEach(entry -> fail(entry, status, response, now));
    }

    private static void fail(InFlightTable.Entry entry, Status status, Response response, long now) {
        ClientLoop.complete(entry.completion(), entry.tag(), status, response, entry.sentNanos(), now);
    }
}
