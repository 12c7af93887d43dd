package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.tls.TlsException;
import ch.ethz.mlmq.protocol.wire.ByteLink;
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
 * An open connection to one broker. Requests are sent in the order of submission; responses complete them by
 * correlation id. Any thread may submit and give up requests; the rest happens on the loop's thread.
 *
 * <p>Each part has one owner: {@link Pending} is a monitor that any thread may enter, and guards {@link Outbound};
 * {@link Inbound} and the {@link Alarm} for overdue requests belong to the loop's thread.
 */
final class Connection implements ClientLoop.ReadyHandler {
    private static final int SIGNS_OF_A_LIMIT = 3;

    private final ClientLoop loop;
    private final SocketChannel channel;
    private final ByteLink link;
    private final int maxPayloadBytes;
    private final Pending pending;
    private final Inbound inbound;
    private final Alarm alarm;
    private final Lost lost;
    /** Set by a thread that added bytes; reset before the loop's thread writes. */
    private final AtomicBoolean flushPending = new AtomicBoolean();
    private volatile long features;

    /** Is called once if the connection ends otherwise than by {@link #close}. */
    @FunctionalInterface
    interface Lost {
        /** @param unanswered ids of requests whose messages were not delivered */
        void lost(String reason, int[] unanswered);
    }

    /** A timer that rings once, at the earliest of the times set. Belongs to the loop's thread. */
    static final class Alarm {
        /** A time at which it never rings. */
        static final long NEVER = Long.MAX_VALUE;

        private final ClientLoop loop;
        private final Runnable rings;
        private long setNanos = NEVER;

        /** @param rings called on the loop's thread */
        Alarm(ClientLoop loop, Runnable rings) {
            this.loop = loop;
            this.rings = rings;
        }

        /** @param atNanos [ns], or {@link #NEVER} */
        void set(long atNanos) {
            if (atNanos != NEVER && (setNanos == NEVER || atNanos - setNanos < 0)) {
                setNanos = atNanos;
                loop.schedule(atNanos - System.nanoTime(), () -> reached(atNanos));
            }
        }

        private void reached(long nanos) {
            if (nanos == setNanos) {
                setNanos = NEVER;
                rings.run();
            }
        }
    }

    /**
     * @param key    of the channel
     * @param link   its bytes
     * @param lastId last correlation id of the connection before it
     */
    Connection(ClientLoop loop, SelectionKey key, ByteLink link, ClientConfig config, int lastId, DropCounts drops,
               Lost lost) {
        this.loop = loop;
        this.link = link;
        this.channel = (SocketChannel) key.channel();
        this.maxPayloadBytes = config.maxPayloadBytes();
        this.pending = new Pending(config, lastId, new Outbound(link, key, maxPayloadBytes), drops, this::giveUp);
        this.inbound = new Inbound(link, maxPayloadBytes, this::answered);
        this.alarm = new Alarm(loop, this::giveUpOverdue);
        this.lost = lost;
    }

    /** @return {@link Status#OK} if the completion will be called, else why it will not */
    Status submit(Request request, long timeoutNanos, long tag, Completion completion) {
        if ((Features.neededBy(request) & ~features) != 0) {
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

    /** Gives up a request whose response is no longer awaited; its messages, if any, are requeued. */
    private void giveUp(int id) {
        flushSoon(pending.giveUp(id));
    }

    /** Gives up all requests that may take messages, before the client says goodbye. */
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

    /** Asks the broker to requeue messages that an earlier connection of this client may not have received. */
    void requeue(int[] requests) {
        flushSoon(pending.requeue(requests));
    }

    /** @return what a proof can be bound to; null for nothing */
    byte[] channelBinding() {
        return link.channelBinding();
    }

    int lastId() {
        return pending.lastId();
    }

    int inFlight() {
        return pending.inFlight();
    }

    /** Applies the agreement with the broker to all that follows. */
    void agreed(Response.Welcome welcome) {
        features = welcome.features();
        inbound.features(welcome.features());
        pending.brokerCancels((welcome.features() & Features.CANCEL) != 0);
        if ((welcome.features() & Features.KEEP_ALIVE) != 0 && welcome.keepAliveMillis() > 0) {
            keepAlive(TimeUnit.MILLISECONDS.toNanos(welcome.keepAliveMillis()));
        }
    }

    /**
     * Sends signs of life several times within the limit, and considers the broker gone if it is silent for the limit.
     */
    private void keepAlive(long limitNanos) {
        if (pending.isClosed()) {
            return;
        }
        if (System.nanoTime() - inbound.heardNanos() > limitNanos) {
            fail("the broker sent no byte for " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms");
            return;
        }
        if (pending.breakSilence(inbound.heardNanos(), limitNanos / SIGNS_OF_A_LIMIT / 2)) {
            flush();
        }
        loop.schedule(limitNanos / SIGNS_OF_A_LIMIT, () -> keepAlive(limitNanos));
    }

    /** Closes the connection; requests in flight fail. */
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
            end("the broker sent an invalid frame: " + e.getMessage(), Status.PROTOCOL_ERROR, null, true);
        }
    }

    private void read() throws IOException, ProtocolException {
        boolean open = inbound.read(loop.readBuffer()) && !link.hasEnded();
        flushSoon(pending.confirmMuch() || link.asksForWrite());
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

    /** @param added true if bytes were added that wait to be written */
    private void flushSoon(boolean added) {
        if (added && !flushPending.getAndSet(true)) {
            loop.flushSoon(this);
        }
    }

    /** Writes as many bytes as the socket takes, and sets the alarm for submitted requests. */
    void flush() {
        flushPending.set(false);
        try {
            alarm.set(pending.write());
        } catch (IOException e) {
            broken(e);
        }
    }

    private void broken(IOException e) {
        fail(e instanceof TlsException ? e.getMessage() : "the connection broke (" + e.getMessage() + ")");
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
            // The connection is gone either way, and the reason is known already.
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
