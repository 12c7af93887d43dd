package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Links to a system whose library blocks until each response, with a connection and a thread for each client. Requests
 * of one client are executed one after the other, however many it has in flight; acknowledgements first, as some
 * systems end leases with the next receipt. A further thread ends waits that take too long.
 */
public final class ThreadedLinks implements LinkFactory {
    private static final Logger LOG = Logger.getLogger(ThreadedLinks.class.getName());
    private static final long WATCH_MILLIS = 10;
    /**
     * Time after a request's timeout at which the connection of a silent server is broken [ns]. The system's own limits
     * expire first, because they keep the connection.
     */
    public static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final BlockingSession.Source source;
    private final long timeoutNanos;
    private final long backoffMillis;
    private final long backoffMaxMillis;
    private final List<ThreadedLink> links = new CopyOnWriteArrayList<>();
    private final Thread watch = new Thread(FatalError.guarded(this::watch), "driver-watch");
    private volatile boolean closed;

    /** @param settings limits of requests and of attempts to connect */
    public ThreadedLinks(BlockingSession.Source source, Settings settings) {
        this.source = source;
        this.timeoutNanos = settings.get(ClientKeys.TIMEOUT).toNanos();
        this.backoffMillis = settings.get(ClientKeys.BACKOFF).toMillis();
        this.backoffMaxMillis = settings.get(ClientKeys.BACKOFF_MAX).toMillis();
        watch.setDaemon(true);
        watch.start();
    }

    @Override
    public Link open(ClientId id, Runnable changed) {
        ThreadedLink link = new ThreadedLink(id, changed);
        links.add(link);
        link.thread.start();
        return new BulkTakes(link);
    }

    @Override
    public boolean hasThreadPerLink() {
        return true;
    }

    @Override
    public boolean echoes() {
        return source.echoes();
    }

    @Override
    public String target() {
        return source.target();
    }

    /** Closes all links; those whose threads still wait then are broken. */
    @Override
    public void close() {
        closed = true;
        watch.interrupt();
        links.forEach(ThreadedLink::abandon);
    }

    private void watch() {
        while (!closed) {
            long now = System.nanoTime();
            links.forEach(link -> link.endWaits(now));
            try {
                TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** A submitted request. It ends once, by the first thread that ends it. */
    private static final class Pending {
        private final Request request;
        private final Completion completion;
        private final long submittedNanos = System.nanoTime();
        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile long startedNanos;

        private Pending(Request request, Completion completion) {
            this.request = request;
            this.completion = completion;
        }

        private void end(Status status, Response response) {
            if (ended.compareAndSet(false, true)) {
                completion.completed(0, status, response, startedNanos == 0 ? submittedNanos : startedNanos,
                        System.nanoTime());
            }
        }
    }

    /** One client's connection, used by one thread. */
    private final class ThreadedLink implements Link {
        private final ClientId id;
        private final Runnable changed;
        private final BlockingDeque<Pending> requests = new LinkedBlockingDeque<>();
        private final CompletableFuture<Void> left = new CompletableFuture<>();
        private final Thread thread;
        private volatile BlockingSession session;
        private volatile Pending current;
        private volatile String state = "not connected yet";
        private volatile boolean leaving;

        private ThreadedLink(ClientId id, Runnable changed) {
            this.id = id;
            this.changed = changed;
            thread = new Thread(FatalError.guarded(this::work), "client-" + id.number());
            thread.setDaemon(true);
        }

        @Override
        public Status submit(Request request, Completion completion) {
            if (!isConnected()) {
                return Status.NOT_CONNECTED;
            }
            Pending pending = new Pending(request, completion);
            if (request instanceof Request.Acknowledge || request instanceof Request.AcknowledgeMessages) {
                requests.addFirst(pending);
            } else {
                requests.add(pending);
            }
            return Status.OK;
        }

        @Override
        public boolean isConnected() {
            return session != null && !leaving;
        }

        @Override
        public String state() {
            return state;
        }

        @Override
        public CompletableFuture<Void> close() {
            leaving = true;
            if (current == null) {
                thread.interrupt();
            }
            return left;
        }

        private void abandon() {
            leaving = true;
            BlockingSession broken = session;
            if (broken != null && !left.isDone()) {
                broken.abort();
            }
            thread.interrupt();
        }

        private void work() {
            try {
                long backoff = backoffMillis;
                while (!leaving) {
                    if (session != null || connected()) {
                        backoff = backoffMillis;
                        execute(requests.take());
                    } else {
                        TimeUnit.MILLISECONDS.sleep(backoff);
                        backoff = Math.min(2 * backoff, backoffMaxMillis);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                Thread.interrupted();
                disconnect();
                left.complete(null);
                links.remove(this);
            }
        }

        private boolean connected() {
            try {
                session = source.connect(id);
                state = "connected";
            } catch (Exception e) {
                state = source.failure(e).text();
            }
            changed.run();
            return session != null;
        }

        /** Closes the session; requests submitted meanwhile are lost with it. */
        private void disconnect() {
            BlockingSession ended = session;
            session = null;
            if (ended != null) {
                try {
                    ended.close();
                } catch (Exception e) {
                    LOG.log(Level.FINE, "closing a broken connection failed", e);
                }
            }
            for (Pending pending = requests.poll(); pending != null; pending = requests.poll()) {
                pending.end(Status.CONNECTION_LOST, null);
            }
            changed.run();
        }

        private void execute(Pending pending) {
            if (pending.ended.get()) {
                return;
            }
            pending.startedNanos = System.nanoTime();
            current = pending;
            Response response = null;
            Status status;
            try {
                response = session.execute(pending.request);
                status = response instanceof Response.Failure failure ? failure.status() : Status.OK;
            } catch (Exception e) {
                BlockingSession.Failure failure = source.failure(e);
                status = failure.status();
                response = status.isOnWire() ? new Response.Failure(status, failure.text()) : null;
                if (status == Status.CONNECTION_LOST) {
                    state = failure.text();
                }
            } finally {
                current = null;
            }
            if (status == Status.CONNECTION_LOST) {
                disconnect();
            }
            pending.end(status, response);
        }

        private void endWaits(long now) {
            Pending executing = current;
            if (executing != null && now - executing.submittedNanos > timeoutNanos) {
                executing.end(Status.TIMEOUT, null);
                BlockingSession stuck = session;
                boolean longGone = now - executing.startedNanos > timeoutNanos + GRACE_NANOS;
                if (longGone && executing == current && stuck != null) {
                    stuck.abort();
                }
            }
            for (Pending first = requests.peek(); first != null && now - first.submittedNanos > timeoutNanos;
                    first = requests.peek()) {
                // If its thread has already taken the request, it belongs to that thread.
                if (requests.remove(first)) {
                    first.end(Status.TIMEOUT, null);
                }
            }
        }
    }
}
