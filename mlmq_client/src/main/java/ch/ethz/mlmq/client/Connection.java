package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An open connection to one broker: requests go out in the order they were submitted, answers complete them by
 * correlation id. Any thread may submit and give up; the rest happens on the loop's thread.
 *
 * <p>Its parts have one owner each: {@link Pending} is a monitor that any thread enters, and guards {@link Outbound};
 * {@link Inbound} and the {@link Alarm} for what is overdue are the loop's thread's.
 */
final class Connection implements ReadyHandler {
    private static final int SIGNS_OF_A_LIMIT = 3;

    private final ClientLoop loop;
    private final SocketChannel channel;
    private final int maxPayloadBytes;
    private final Pending pending;
    private final Inbound inbound;
    private final Alarm alarm;
    private final Lost lost;
    /** Set by whoever added something; reset before the loop's thread writes. */
    private final AtomicBoolean flushPending = new AtomicBoolean();
    private volatile long features;

    /** Told once where the connection ends otherwise than by {@link #close}. */
    @FunctionalInterface
    interface Lost {
        /** @param unanswered ids of requests whose messages nobody has got */
        void lost(String reason, int[] unanswered);
    }

    /**
     * @param key    of the channel
     * @param lastId of the connection before it
     */
    Connection(ClientLoop loop, SelectionKey key, ClientConfig config, int lastId, DropCounts drops, Lost lost) {
        this.loop = loop;
        this.channel = (SocketChannel) key.channel();
        this.maxPayloadBytes = config.maxPayloadBytes();
        this.pending = new Pending(config, lastId, new Outbound(channel, key, maxPayloadBytes), drops, this::giveUp);
        this.inbound = new Inbound(channel, maxPayloadBytes, this::answered);
        this.alarm = new Alarm(loop, this::giveUpOverdue);
        this.lost = lost;
    }

    /** @return {@link Status#OK} where the completion will be called, else why it will not */
    Status submit(Request request, long timeoutNanos, long tag, Completion completion) {
        if ((Features.neededBy(request.type()) & ~features) != 0) {
            return Status.INVALID_REQUEST;
        }
        int bytes = RequestCodec.frameBytes(request);
        if (bytes - FrameReader.LENGTH_BYTES > maxPayloadBytes) {
            return Status.CONTENT_TOO_LONG;
        }
        Status status = pending.add(request, bytes, timeoutNanos, tag, completion);
        flushSoon(status == Status.OK);
        return status;
    }

    /** Nobody waits for the answer any more: its messages, if any, go back. */
    private void giveUp(int id) {
        flushSoon(pending.giveUp(id));
    }

    /** Gives up all that may get messages, before the client says goodbye. */
    void giveUpTaking() {
        List<InFlightTable.Entry> taking = pending.giveUpTaking();
        flush();
        fail(taking, Status.CONNECTION_LOST, null, System.nanoTime());
    }

    private void giveUpOverdue() {
        long now = System.nanoTime();
        List<InFlightTable.Entry> overdue = pending.giveUpOverdue(now);
        flush();
        fail(overdue, Status.TIMEOUT, null, now);
    }

    /** Asks for what an earlier connection of this client may have been sent in vain. */
    void putBack(int[] requests) {
        flushSoon(pending.putBack(requests));
    }

    int lastId() {
        return pending.lastId();
    }

    int inFlight() {
        return pending.inFlight();
    }

    /** Both sides have agreed on this, for all that follows. */
    void agreed(Response.Welcome welcome) {
        features = welcome.features();
        inbound.features(welcome.features());
        pending.brokerCancels((welcome.features() & Features.CANCEL) != 0);
        if ((welcome.features() & Features.KEEP_ALIVE) != 0 && welcome.keepAliveMillis() > 0) {
            keepAlive(TimeUnit.MILLISECONDS.toNanos(welcome.keepAliveMillis()));
        }
    }

    /**
     * Says something several times within the limit, and takes the broker for gone where it says nothing for as long.
     */
    private void keepAlive(long limitNanos) {
        if (pending.isClosed()) {
            return;
        }
        if (System.nanoTime() - inbound.heardNanos() > limitNanos) {
            fail("the broker gave no sign of life for " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms");
            return;
        }
        if (pending.breakSilence(inbound.heardNanos(), limitNanos / SIGNS_OF_A_LIMIT / 2)) {
            flush();
        }
        loop.schedule(limitNanos / SIGNS_OF_A_LIMIT, () -> keepAlive(limitNanos));
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

    private void read() throws IOException, ProtocolException {
        boolean open = inbound.read(loop.readBuffer());
        flushSoon(pending.confirmMuch());
        if (!open) {
            fail("the broker closed the connection");
        }
    }

    private boolean answered(int id, Response response, long nanos) {
        if (id == 0 && response instanceof Response.Failure failure) {
            sentAway(failure);
            return false;
        }
        flushSoon(pending.answered(id, response, inbound.frameBytes(), nanos));
        return true;
    }

    private void sentAway(Response.Failure failure) {
        if (failure.status() == Status.CONNECTION_CLOSED) {
            fail("the broker closed the connection: " + failure.text());
        } else {
            end(failure.text(), failure.status(), failure, true);
        }
    }

    /** @param added whether something was added that waits to be written */
    private void flushSoon(boolean added) {
        if (added && !flushPending.getAndSet(true)) {
            loop.flushSoon(this);
        }
    }

    /** Writes what the socket takes, and sets the alarm for what was submitted. */
    void flush() {
        flushPending.set(false);
        try {
            alarm.set(pending.write());
        } catch (IOException e) {
            broken(e);
        }
    }

    private void broken(IOException e) {
        fail("the connection broke (" + e.getMessage() + ")");
    }

    private void fail(String reason) {
        end(reason, Status.CONNECTION_LOST, null, true);
    }

    private void end(String reason, Status status, Response response, boolean tell) {
        Pending.Rest rest = pending.end();
        if (rest == null) {
            return;
        }
        inbound.forget();
        try {
            channel.close();
        } catch (IOException e) {
            // it is gone either way, and the reason is known already
        }
        if (tell) {
            lost.lost(reason, rest.unanswered());
        }
        fail(rest.waiting(), status, response, System.nanoTime());
    }

    private static void fail(List<InFlightTable.Entry> entries, Status status, Response response, long now) {
        entries.forEach(entry -> ClientLoop.complete(
                entry.completion(), entry.tag(), status, response, entry.sentNanos(), now));
    }
}
