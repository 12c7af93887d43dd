package ch.ethz.mlmq.broker.session;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.broker.waiting.WaitingRoom;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** Clears up after closed connections, in a thread of its own. Repeats a failed step until the storage succeeds. */
public final class Departures implements Agent {
    private static final Logger LOG = Logger.getLogger(Departures.class.getName());

    /** Longest pause between two looks for work; new work ends it. */
    public static final Duration IDLE = Duration.ofMillis(100);
    private static final long AFTER_FAILURE_NANOS = 100_000_000;
    private static final long PAUSE_NANOS = 5_000_000;

    private final long lastTriesNanos;
    private final Storage storage;
    private final Presence presence;
    private final WaitingRoom waitingRoom;
    private final Queue<Storage.Session> sessions = new ConcurrentLinkedQueue<>();
    private final Queue<Message> messages = new ConcurrentLinkedQueue<>();
    private List<Storage.Session> leaving = List.of();
    private List<Message> returning = List.of();
    private final Outage requeueing = new Outage(LOG, "requeueing undelivered messages");
    private final Outage sayingOffline = new Outage(LOG, "marking clients as offline in the database");
    private long notBefore = System.nanoTime();
    private volatile Thread thread;
    private volatile boolean over;

    /** @param lastTries time for which it repeats failed steps after it is closed */
    public Departures(Storage storage, Presence presence, WaitingRoom waitingRoom, Duration lastTries) {
        this.lastTriesNanos = lastTries.toNanos();
        this.storage = storage;
        this.presence = presence;
        this.waitingRoom = waitingRoom;
    }

    /** Ends the waiting of the connection's requests with empty responses. Called by the connection's I/O thread. */
    public void waitNoMore(ClientConnection connection) {
        waitingRoom.sendHome(connection);
    }

    /** Clears up after a closed connection. Called by the connection's I/O thread. */
    public void left(ClientConnection connection) {
        waitingRoom.forget(connection);
        Storage.Session session = connection.session().stored();
        if (session != null) {
            presence.leaveBehind(connection);
            presence.release(connection.session().name(), connection);
            addTo(sessions, session);
        } else if (connection.session().unconfirmed() != null) {
            connection.session().unconfirmed().clear();
        }
    }

    /** Ends the session in the storage. Any thread may call this. */
    public void left(Storage.Session session) {
        addTo(sessions, session);
    }

    /** Requeues the messages of an undeliverable response. Called by an I/O thread. */
    public void undeliverable(Exchange exchange) {
        requeue(exchange.taken());
    }

    /** Requeues taken messages. Called by an I/O thread. */
    public void requeue(List<Message> taken) {
        if (!taken.isEmpty()) {
            messages.addAll(taken);
            LockSupport.unpark(thread);
            if (over) {
                lost(drain(messages));
            }
        }
    }

    /** Cancels a request whose client no longer waits. Called by the connection's I/O thread. */
    public void cancel(Exchange exchange) {
        waitingRoom.cancel(exchange);
    }

    /** Finds the deliveries of the client's earlier connection. Called by the connection's I/O thread. */
    public Unconfirmed leftBehind(ClientConnection connection, int request) {
        return presence.leftBehind(connection, request);
    }

    /** Ends the pause of the thread, so that it need not look for work every few milliseconds. */
    private <T> void addTo(Queue<T> queue, T item) {
        queue.add(item);
        LockSupport.unpark(thread);
    }

    @Override
    public void onStart() {
        thread = Thread.currentThread();
    }

    @Override
    public String roleName() {
        return "departures";
    }

    @Override
    public int doWork() {
        if (System.nanoTime() - notBefore < 0) {
            return 0;
        }
        leaving = leaving.isEmpty() ? drain(sessions) : leaving;
        returning = returning.isEmpty() ? drain(messages) : returning;
        int done = 0;
        if (!returning.isEmpty() && succeeds(() -> storage.requeue(returning), requeueing)) {
            done += returning.size();
            returning = List.of();
        }
        presence.forgetLeftBehind(System.nanoTime());
        if (!leaving.isEmpty() && succeeds(() -> storage.offline(leaving), sayingOffline)) {
            done += leaving.size();
            leaving = List.of();
        }
        return done;
    }

    private boolean succeeds(Step step, Outage outage) {
        try {
            step.run();
            outage.worked();
            return true;
        } catch (StorageException e) {
            notBefore = System.nanoTime() + AFTER_FAILURE_NANOS;
            outage.failed(e.getMessage(), e);
            return false;
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws StorageException;
    }

    /**
     * Tries for a last time. The next broker marks the clients as offline, but no other broker knows of the messages.
     */
    @Override
    public void onClose() {
        long deadline = System.nanoTime() + lastTriesNanos;
        while (isBusy() && System.nanoTime() - deadline < 0) {
            if (doWork() == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        over = true;
        List<Message> lost = new ArrayList<>(returning);
        lost.addAll(drain(messages));
        lost(lost);
    }

    private static void lost(List<Message> lost) {
        if (!lost.isEmpty()) {
            LOG.warning(() -> "undelivered and not requeued: " + lost.size() + " in all, "
                    + lost.stream().map(message -> "message " + message.id() + " of queue " + message.queue())
                            .collect(Collectors.joining(", ")));
        }
    }

    private boolean isBusy() {
        return !returning.isEmpty() || !leaving.isEmpty() || !messages.isEmpty() || !sessions.isEmpty();
    }

    private static <T> List<T> drain(Queue<T> queue) {
        List<T> all = new ArrayList<>();
        for (T next = queue.poll(); next != null; next = queue.poll()) {
            all.add(next);
        }
        return all;
    }
}
