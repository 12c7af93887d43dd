package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One client's way to RabbitMQ: a connection, and another one when it is lost. */
final class AmqpLink implements Link {
    private static final Logger LOG = Logger.getLogger(AmqpLink.class.getName());
    private static final int GOODBYE_MILLIS = 1_000;

    private final ClientId id;
    private final AmqpLinks links;
    private final Settings settings;
    private final Numbering numbering;
    private final ScheduledExecutorService helpers;
    private final Runnable changed;
    private final long timeoutNanos;
    private volatile AmqpSession session;
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
    }

    @Override
    public Status submit(Request request, Completion completion) {
        AmqpSession current = session;
        return current == null ? Status.NOT_CONNECTED : current.submit(request, completion);
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
        closed = true;
        AmqpSession ended = session;
        session = null;
        links.forget(this);
        changed.run();
        return ended == null ? CompletableFuture.completedFuture(null)
                : CompletableFuture.runAsync(() -> ended.close(GOODBYE_MILLIS), helpers);
    }

    /** Nobody waits any more. */
    void abandon() {
        closed = true;
        AmqpSession ended = session;
        session = null;
        if (ended != null) {
            ended.close(1);
        }
    }

    void endWaits(long nowNanos) {
        AmqpSession current = session;
        if (current != null) {
            current.endWaits(nowNanos, timeoutNanos);
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
        Connection connection = null;
        try {
            connection = links.connect(id);
            AmqpSession made = new AmqpSession(connection, names(), numbering, settings, helpers, numbering.client(id));
            session = made;
            state = "connected";
            connection.addShutdownListener(cause -> lost(made, cause.getMessage()));
        } catch (IOException | TimeoutException | RuntimeException e) {
            state = reason(e);
            if (connection != null) {
                connection.abort(1);
            }
            long least = settings.get(ClientKeys.BACKOFF).toMillis();
            connectSoon(Math.min(Math.max(least, 2 * waitedMillis), settings.get(ClientKeys.BACKOFF_MAX).toMillis()));
        }
        changed.run();
    }

    private void lost(AmqpSession ended, String reason) {
        if (session == ended) {
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

    /** The library's exceptions often have their reason further down. */
    static String reason(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                return cause.getMessage().lines().findFirst().orElse("");
            }
        }
        return e instanceof TimeoutException ? "no answer in time" : e.getClass().getSimpleName();
    }
}
