package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.link.ThreadedLinks;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One client's link to RabbitMQ: a connection, and another one when it is lost. A thread of its own writes the
 * requests, because a write blocks while the server does not read; the pacer and the other clients go on.
 */
final class AmqpLink implements Link {
    private static final Logger LOG = Logger.getLogger(AmqpLink.class.getName());
    private static final int GOODBYE_MILLIS = 1_000;
    private static final long NEVER = Long.MIN_VALUE;

    private final ClientId id;
    private final AmqpLinks links;
    private final Settings settings;
    private final Numbering numbering;
    private final ScheduledExecutorService helpers;
    private final Runnable changed;
    private final long timeoutNanos;
    private final BlockingQueue<Outgoing> outgoing = new LinkedBlockingQueue<>();
    private final Thread writer = new Thread(FatalError.guarded(this::write), "client-writer");
    private volatile Outgoing writing;
    private volatile AmqpSession session;
    /** When the first timed-out request since the server's last response was sent [ns]. */
    private volatile long missedNanos = NEVER;
    private volatile String state = "not connected yet";
    private volatile boolean closed;

    AmqpLink(ClientId id, AmqpLinks links, Settings settings, Numbering numbering, ScheduledExecutorService helpers,
            Runnable changed) {
        this.id = id;
        this.links = links;
        this.settings = settings;
        this.numbering = numbering;
        this.helpers = helpers;
        this.changed = changed;
        this.timeoutNanos = settings.get(ClientKeys.TIMEOUT).toNanos();
        writer.setDaemon(true);
        writer.start();
    }

    /** A request on its way to the connection, until it has ended. */
    private final class Outgoing extends UnderWay implements Completion {
        private final Request request;

        private Outgoing(Request request, Completion completion) {
            super(completion);
            this.request = request;
        }

        @Override
        public void completed(long tag, Status status, Response response, long sentNanos, long endNanos) {
            if (status == Status.TIMEOUT) {
                missed(sentNanos);
            } else if (status != Status.CONNECTION_LOST && status != Status.NOT_CONNECTED
                    && !Pushed.isEndOfWait(response)) {
                missedNanos = NEVER;
            }
            if (claim()) {
                tell(status, response, sentNanos, endNanos);
            }
        }
    }

    @Override
    public Status submit(Request request, Completion completion) {
        if (session == null || closed) {
            return Status.NOT_CONNECTED;
        }
        outgoing.add(new Outgoing(request, completion));
        if (closed) {
            // The writer may have ended before the request came.
            endOutgoing();
        }
        return Status.OK;
    }

    private void write() {
        try {
            while (!closed) {
                Outgoing next = outgoing.take();
                writing = next;
                if (!next.isEnded()) {
                    write(next, session);
                }
                writing = null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            endOutgoing();
        }
    }

    private void write(Outgoing next, AmqpSession current) {
        Status status = current == null ? Status.NOT_CONNECTED : current.submit(next.request, next);
        if (status != Status.OK) {
            // No further request is submitted before the end of the connection is reported.
            if (current != null && session == current) {
                session = null;
                state = "the connection is lost";
            }
            if (current != null) {
                current.breakOff();
            }
            next.end(status, null);
        }
    }

    private void endOutgoing() {
        for (Outgoing next = outgoing.poll(); next != null; next = outgoing.poll()) {
            next.end(Status.CONNECTION_LOST, null);
        }
    }

    private void missed(long sentNanos) {
        if (missedNanos == NEVER) {
            missedNanos = sentNanos;
        }
    }

    @Override
    public boolean isConnected() {
        return session != null;
    }

    @Override
    public String state() {
        return state;
    }

    @Override
    public CompletableFuture<Void> close() {
        AmqpSession ended = leave();
        links.forget(this);
        changed.run();
        return ended == null ? CompletableFuture.completedFuture(null)
                : CompletableFuture.runAsync(() -> ended.close(GOODBYE_MILLIS), helpers);
    }

    /** Ends the wait without a result. */
    void abandon() {
        AmqpSession ended = leave();
        if (ended != null) {
            ended.breakOff();
            ended.endAll();
        }
    }

    private AmqpSession leave() {
        closed = true;
        writer.interrupt();
        AmqpSession ended = session;
        session = null;
        return ended;
    }

    void endWaits(long nowNanos) {
        Outgoing stuck = writing;
        if (stuck != null) {
            endWait(stuck, nowNanos);
        }
        for (Outgoing first = outgoing.peek(); first != null && endWait(first, nowNanos); first = outgoing.peek()) {
            outgoing.remove(first);
        }
        AmqpSession current = session;
        if (current != null) {
            current.endWaits(nowNanos, timeoutNanos);
            breakOffSilent(current, nowNanos);
        }
    }

    /** @return true if the request has reached its time limit */
    private boolean endWait(Outgoing request, long nowNanos) {
        boolean over = request.ageNanos(nowNanos) > timeoutNanos;
        if (over && request.end(Status.TIMEOUT, null)) {
            missed(request.sentNanos());
        }
        return over;
    }

    /** Breaks a silent connection, after the same grace as other drivers. */
    private void breakOffSilent(AmqpSession current, long nowNanos) {
        long since = missedNanos;
        if (since != NEVER && nowNanos - since > timeoutNanos + ThreadedLinks.GRACE_NANOS) {
            missedNanos = NEVER;
            current.breakOff();
        }
    }

    void connectSoon(long millis) {
        try {
            helpers.schedule(FatalError.guarded(() -> connect(millis)), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.log(Level.FINE, "the load is over", e);
        }
    }

    private void connect(long waitedMillis) {
        if (closed) {
            return;
        }
        AmqpLinks.Opened opened = null;
        try {
            opened = links.connect(id);
            AmqpSession made = new AmqpSession(opened, names(), numbering, settings, helpers, numbering.client(id));
            missedNanos = NEVER;
            session = made;
            state = "connected";
            opened.connection().addShutdownListener(cause -> lost(made, cause.getMessage()));
        } catch (IOException | TimeoutException | RuntimeException e) {
            state = reason(e);
            if (opened != null) {
                opened.breakOff().run();
            }
            long least = settings.get(ClientKeys.BACKOFF).toMillis();
            connectSoon(Math.min(Math.max(least, 2 * waitedMillis), settings.get(ClientKeys.BACKOFF_MAX).toMillis()));
        }
        changed.run();
    }

    private void lost(AmqpSession ended, String reason) {
        if (session == ended || session == null) {
            session = null;
            state = String.valueOf(reason);
        }
        ended.endAll();
        changed.run();
        if (!closed) {
            connectSoon(settings.get(ClientKeys.BACKOFF).toMillis());
        }
    }

    private QueueNames names() {
        return new QueueNames(settings.get(DriverKeys.PREFIX), numbering);
    }

    /** Finds the reason of an exception, which the library often puts into its causes. */
    static String reason(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                return cause.getMessage().lines().findFirst().orElse("");
            }
        }
        return e instanceof TimeoutException ? "no response in time" : e.getClass().getSimpleName();
    }
}
