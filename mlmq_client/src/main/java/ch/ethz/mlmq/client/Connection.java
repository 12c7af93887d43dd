package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.FrameType;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

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
    private static final int FRAME_WITHOUT_FIELDS = FrameReader.LENGTH_BYTES + FrameReader.LEAST_PAYLOAD_BYTES;
    /** Bytes of messages that are confirmed at once, where no request says it before. */
    private static final int UNCONFIRMED_BYTES = 64 * 1_024;
    private static final int MAX_CANCELLING = 1 << 16;

    private final ClientLoop loop;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final int maxPayloadBytes;
    private final long maxOutboundBytes;
    private final FrameReader reader;
    private final DropCounts drops;
    private final Lost lost;

    // Guarded by this.
    private final InFlightTable inFlight;
    private ByteBuffer outbound = ByteBuffer.allocate(FIRST_OUTBOUND_BYTES);
    private boolean flushPending;
    private boolean closed;
    /** The broker puts back what a cancel names. */
    private boolean cancels;
    /** Requests whose messages it was asked to put back, by the correlation id of the cancel that it answers. */
    private final Map<Integer, Integer> cancelling = new LinkedHashMap<>();
    /** Of the last answer with messages, 0 where that is confirmed. */
    private int unconfirmedId;
    private int unconfirmedBytes;
    private long earliestNanos = NOT_ARMED;
    private long lastSentNanos;

    // Used by the loop's thread alone.
    private ByteBuffer partial;
    private long armedNanos = NOT_ARMED;
    private long heardNanos = System.nanoTime();

    /** Told once where the connection ends otherwise than by {@link #close}. */
    @FunctionalInterface
    interface Lost {
        /** @param unanswered ids of requests whose messages nobody has got */
        void lost(String reason, int[] unanswered);
    }

    /** @param lastId of the connection before it */
    Connection(ClientLoop loop, SocketChannel channel, SelectionKey key, ClientConfig config, int lastId,
               DropCounts drops, Lost lost) {
        this.loop = loop;
        this.channel = channel;
        this.key = key;
        this.maxPayloadBytes = config.maxPayloadBytes();
        this.maxOutboundBytes = (long) OUTBOUND_FRAMES * maxPayloadBytes;
        this.reader = new FrameReader(maxPayloadBytes);
        this.inFlight = new InFlightTable(config.inflightMax(), lastId);
        this.drops = drops;
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
            confirm();
            makeRoom(bytes);
            long now = System.nanoTime();
            lastSentNanos = now;
            int id = inFlight.add(completion, takes(request), tag, now, now + timeoutNanos);
            if (completion instanceof FutureCall<?, ?> call) {
                call.sent(this, id);
            }
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

    /** Nobody waits for the answer any more: its messages, if any, go back. */
    void giveUp(int id) {
        synchronized (this) {
            InFlightTable.Entry entry = inFlight.find(id);
            if (entry != null) {
                inFlight.remove(entry);
            }
            if (closed || !cancels) {
                return;
            }
            cancel(id);
            flushPending = true;
        }
        loop.flushSoon(this);
    }

    /** Gives up all that may get messages, before the client says goodbye. */
    void giveUpTaking() {
        List<InFlightTable.Entry> waiting;
        synchronized (this) {
            waiting = closed ? List.of() : inFlight.removeTaking();
            cancel(waiting);
        }
        flush();
        long now = System.nanoTime();
        waiting.forEach(entry -> fail(entry, Status.CONNECTION_LOST, null, now));
    }

    /** Asks for what an earlier connection of this client may have been sent in vain. */
    void putBack(int[] requests) {
        if (requests.length == 0) {
            return;
        }
        synchronized (this) {
            if (!cancels) {
                drops.dropped(requests.length);
                return;
            }
            for (int request : requests) {
                cancel(request);
            }
            flushPending = true;
        }
        loop.flushSoon(this);
    }

    synchronized int lastId() {
        return inFlight.lastId();
    }

    private void cancel(List<InFlightTable.Entry> entries) {
        for (InFlightTable.Entry entry : entries) {
            if (cancels && entry.takes()) {
                cancel(entry.id());
            }
        }
    }

    private void cancel(int request) {
        if (cancelling.size() == MAX_CANCELLING) {
            cancelling.remove(cancelling.keySet().iterator().next());
            drops.dropped(1);
        }
        int id = inFlight.nextId();
        giveBack(new Request.Cancel(request), id);
        cancelling.put(id, request);
    }

    /** Goes out however much waits to go out: it is short, and one for a request at most. */
    private void giveBack(Request request, int id) {
        confirm();
        makeRoom(RequestCodec.frameBytes(request));
        RequestCodec.encode(request, id, outbound);
        lastSentNanos = System.nanoTime();
    }

    /** Says which messages were read, so that the broker need not keep them any longer. */
    private void confirm() {
        if (unconfirmedId != 0) {
            makeRoom(FRAME_WITHOUT_FIELDS);
            outbound.putInt(FrameReader.LEAST_PAYLOAD_BYTES).putInt(FrameType.RECEIVED.code()).putInt(unconfirmedId);
            unconfirmedId = 0;
            unconfirmedBytes = 0;
        }
    }

    /** @return whether its answer may hold messages that are nowhere else */
    static boolean takes(Request request) {
        return request instanceof Request.Retrieval && request.type() != FrameType.PEEK_MESSAGE;
    }

    /** Both sides have agreed on this, for all that follows. */
    void agreed(Response.Welcome welcome) {
        reader.features(welcome.features());
        synchronized (this) {
            cancels = (welcome.features() & Features.CANCEL) != 0;
        }
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
                confirm();
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
        giveUpTaking();
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
        confirmMuch();
    }

    /** Who sends nothing himself confirms now and then all the same. */
    private void confirmMuch() {
        synchronized (this) {
            if (unconfirmedBytes < UNCONFIRMED_BYTES || closed) {
                return;
            }
            confirm();
            if (flushPending) {
                return;
            }
            flushPending = true;
        }
        loop.flushSoon(this);
    }

    private void complete(int id, Response response, long now) {
        Completion completion;
        boolean takes;
        long tag;
        long sentNanos;
        synchronized (this) {
            if (id == InFlightTable.SIGN_OF_LIFE) {
                return;
            }
            InFlightTable.Entry entry = inFlight.find(id);
            if (entry == null) {
                if (cancelling.remove(id) != null) {
                    drops.notGivenBack(response);
                } else {
                    late(response);
                }
                return;
            }
            completion = entry.completion();
            takes = entry.takes();
            tag = entry.tag();
            sentNanos = entry.sentNanos();
            inFlight.remove(entry);
        }
        Status status = response instanceof Response.Failure failure ? failure.status() : Status.OK;
        ClientLoop.complete(completion, tag, status, response, sentNanos, now);
        if (takes && DropCounts.messages(response) > 0) {
            read(id);
        }
    }

    /** The messages of that answer are handed over, or given up. */
    private synchronized void read(int id) {
        if (cancels) {
            unconfirmedId = id;
            unconfirmedBytes += reader.frameBytes();
        }
    }

    /**
     * The request was given up. Its messages are put back by the broker, or else given back as far as that is possible.
     */
    private void late(Response response) {
        drops.lateAnswer();
        if (cancels) {
            return;
        }
        if (response instanceof Response.Delivery delivery && delivery.message() != null
                && delivery.message().leaseToken() != 0) {
            // Where its lease has run out meanwhile, it is back already.
            giveBack(new Request.Release(delivery.message().id(), delivery.message().leaseToken()),
                    InFlightTable.SIGN_OF_LIFE);
            if (!flushPending) {
                flushPending = true;
                loop.flushSoon(this);
            }
        } else {
            drops.dropped(DropCounts.messages(response));
        }
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
            cancel(overdue);
            long nanos = inFlight.nanosToNextDeadline(now);
            earliestNanos = nanos == Long.MAX_VALUE ? NOT_ARMED : now + nanos;
        }
        flush();
        overdue.forEach(entry -> fail(entry, Status.TIMEOUT, null, now));
        armTimer();
    }

    private void fail(String reason) {
        end(reason, Status.CONNECTION_LOST, null, true);
    }

    private void end(String reason, Status status, Response response, boolean tell) {
        List<InFlightTable.Entry> waiting;
        int[] unanswered;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            waiting = inFlight.removeAll();
            unanswered = IntStream.concat(cancelling.values().stream().mapToInt(Integer::intValue), waiting.stream()
                    .filter(InFlightTable.Entry::takes).mapToInt(InFlightTable.Entry::id)).toArray();
        }
        partial = null;
        try {
            channel.close();
        } catch (IOException e) {
            // it is gone either way, and the reason is known already
        }
        if (tell) {
            lost.lost(reason, unanswered);
        }
        long now = System.nanoTime();
        waiting.forEach(entry -> fail(entry, status, response, now));
    }

    private static void fail(InFlightTable.Entry entry, Status status, Response response, long now) {
        ClientLoop.complete(entry.completion(), entry.tag(), status, response, entry.sentNanos(), now);
    }
}
