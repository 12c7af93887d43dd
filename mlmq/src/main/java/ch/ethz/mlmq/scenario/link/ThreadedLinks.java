package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Links to a system whose library blocks until each response: each client has one session or several, and a thread for
 * each. A session executes one request after the other, however many the client has in flight; acknowledgements first,
 * as some systems end leases with the next receipt. A further thread ends waits that take too long.
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
    private final int sessions;
    private final DriverKeys.Acknowledge acknowledge;
    private final List<ThreadedLink> links = new CopyOnWriteArrayList<>();
    private final Thread watch = new Thread(FatalError.guarded(this::watch), "driver-watch");
    private volatile boolean closed;

    /** @param settings limits of requests and of attempts to connect */
    public ThreadedLinks(BlockingSession.Source source, Settings settings) {
        this.source = source;
        this.timeoutNanos = settings.get(ClientKeys.TIMEOUT).toNanos();
        this.backoffMillis = settings.get(ClientKeys.BACKOFF).toMillis();
        this.backoffMaxMillis = settings.get(ClientKeys.BACKOFF_MAX).toMillis();
        this.sessions = settings.get(DriverKeys.SESSIONS);
        this.acknowledge = settings.get(DriverKeys.ACKNOWLEDGE);
        watch.setDaemon(true);
        watch.start();
    }

    @Override
    public Link open(ClientId id, Runnable changed) {
        ThreadedLink link = new ThreadedLink(id, changed);
        links.add(link);
        link.lanes.forEach(lane -> lane.thread.start());
        return switch (acknowledge) {
            case NONE -> link;
            case TRANSACTED -> new BulkTakes(link, true);
            default -> new BulkTakes(link);
        };
    }

    @Override
    public int threadsPerLink() {
        return sessions;
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

    /** The sessions of one client, and its requests that wait for one. */
    private final class ThreadedLink implements Link {
        private final ClientId id;
        private final Runnable changed;
        private final Deque<Pending> requests = new ArrayDeque<>();
        private final List<Lane> lanes = new ArrayList<>();
        private final CompletableFuture<Void> left;
        private volatile String state = "not connected yet";
        private volatile boolean leaving;

        private ThreadedLink(ClientId id, Runnable changed) {
            this.id = id;
            this.changed = changed;
            for (int i = 0; i < sessions; i++) {
                lanes.add(new Lane(this));
            }
            left = CompletableFuture.allOf(lanes.stream().map(lane -> lane.left).toArray(CompletableFuture[]::new));
            left.thenRun(() -> links.remove(this));
        }

        @Override
        public Status submit(Request request, Completion completion) {
            if (!isConnected()) {
                return Status.NOT_CONNECTED;
            }
            boolean first = request instanceof Request.Acknowledge || request instanceof Request.AcknowledgeMessages;
            // The session that has received messages calls their completion.
            Lane own = first ? lanes.stream().filter(lane -> lane.thread == Thread.currentThread()).findFirst()
                    .orElse(null) : null;
            return add(new Pending(request, completion), first, own) ? Status.OK : Status.NOT_CONNECTED;
        }

        private synchronized boolean add(Pending pending, boolean first, Lane own) {
            if (!hasSession()) {
                return false;
            }
            if (own != null) {
                own.first.add(pending);
            } else if (first) {
                requests.addFirst(pending);
            } else {
                requests.add(pending);
            }
            notifyAll();
            return true;
        }

        private synchronized Pending next(Lane lane) throws InterruptedException {
            while (lane.first.isEmpty() && requests.isEmpty()) {
                wait();
            }
            return lane.first.isEmpty() ? requests.poll() : lane.first.poll();
        }

        @Override
        public boolean isConnected() {
            return !leaving && hasSession();
        }

        private boolean hasSession() {
            return lanes.stream().anyMatch(lane -> lane.session != null);
        }

        @Override
        public String state() {
            return state;
        }

        @Override
        public CompletableFuture<Void> close() {
            leaving = true;
            lanes.stream().filter(lane -> lane.current == null).forEach(lane -> lane.thread.interrupt());
            return left;
        }

        private void abandon() {
            leaving = true;
            lanes.forEach(Lane::abandon);
        }

        /** Ends requests of a session that has ended; those that wait for any session end with the last one. */
        private void lost(Lane lane) {
            List<Pending> lost;
            synchronized (this) {
                lost = new ArrayList<>(lane.first);
                lane.first.clear();
                if (!hasSession()) {
                    lost.addAll(requests);
                    requests.clear();
                }
            }
            lost.forEach(pending -> pending.end(Status.CONNECTION_LOST, null));
            changed.run();
        }

        private void endWaits(long now) {
            lanes.forEach(lane -> lane.endWait(now));
            List<Pending> over = new ArrayList<>();
            synchronized (this) {
                while (!requests.isEmpty() && now - requests.peek().submittedNanos > timeoutNanos) {
                    over.add(requests.poll());
                }
            }
            over.forEach(pending -> pending.end(Status.TIMEOUT, null));
        }
    }

    /** One session of a client, used by one thread. */
    private final class Lane {
        private final ThreadedLink link;
        /** Acknowledgements of what this session has received. */
        private final Deque<Pending> first = new ArrayDeque<>();
        private final CompletableFuture<Void> left = new CompletableFuture<>();
        private final Thread thread;
        private volatile BlockingSession session;
        private volatile Pending current;

        private Lane(ThreadedLink link) {
            this.link = link;
            thread = new Thread(FatalError.guarded(this::work), "client-" + link.id.number());
            thread.setDaemon(true);
        }

        private void abandon() {
            BlockingSession broken = session;
            if (broken != null && !left.isDone()) {
                broken.abort();
            }
            thread.interrupt();
        }

        private void work() {
            try {
                long backoff = backoffMillis;
                while (!link.leaving) {
                    if (session != null || connected()) {
                        backoff = backoffMillis;
                        execute(link.next(this));
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
            }
        }

        private boolean connected() {
            try {
                session = source.connect(link.id);
                link.state = "connected";
            } catch (Exception e) {
                link.state = source.failure(e).text();
            }
            link.changed.run();
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
            link.lost(this);
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
                    link.state = failure.text();
                }
            } finally {
                current = null;
            }
            if (status == Status.CONNECTION_LOST) {
                disconnect();
            }
            pending.end(status, response);
        }

        private void endWait(long now) {
            Pending executing = current;
            if (executing != null && now - executing.submittedNanos > timeoutNanos) {
                executing.end(Status.TIMEOUT, null);
                BlockingSession stuck = session;
                boolean longGone = now - executing.startedNanos > timeoutNanos + GRACE_NANOS;
                if (longGone && executing == current && stuck != null) {
                    stuck.abort();
                }
            }
        }
    }
}
