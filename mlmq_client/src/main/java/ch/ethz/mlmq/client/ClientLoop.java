package ch.ethz.mlmq.client;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.agent.AgentRunner;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.tls.TlsBuffers;
import ch.ethz.mlmq.protocol.tls.TlsLink;
import ch.ethz.mlmq.protocol.wire.ByteLink;
import ch.ethz.mlmq.protocol.wire.PlainLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.SSLEngine;

/**
 * One thread that sends and receives for any number of clients. Completions, state listeners and tasks run on it one
 * after the other, so they need no locks among themselves, and must not block.
 */
public final class ClientLoop implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ClientLoop.class.getName());
    private static final int READ_BUFFER_BYTES = 256 * 1024;
    private static final long IDLE_MILLIS = 1_000;
    /** Connections that are read before requests are written, so that no broker waits for all the others. */
    private static final int TURN_CONNECTIONS = 32;

    /** The attachment of a selection key; called on the loop's thread. */
    interface ReadyHandler {
        void ready(SelectionKey key);
    }

    private final Selector selector;
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BUFFER_BYTES);
    private final Consumer<SelectionKey> readyAction = this::ready;
    private final AtomicBoolean awake = new AtomicBoolean();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Connection> unsentElsewhere = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Connection> unsent = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private final AgentRunner runner;
    /** Made for the first encrypted connection. */
    private TlsBuffers tlsBuffers;
    private volatile Thread thread;
    private volatile boolean closed;
    private volatile String closedBecause = "the client loop is closed";

    private ClientLoop(String name) throws IOException {
        selector = Selector.open();
        runner = AgentRunner.start(new Work(name), Duration.ZERO, this::failed);
    }

    /** @param name of the thread */
    public static ClientLoop start(String name) {
        try {
            return new ClientLoop(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a task on the loop's thread, after its current work. */
    public void execute(Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    /**
     * Runs a task on the loop's thread later, with a precision of 1 ms.
     *
     * @param delayNanos [ns] from now
     */
    public void schedule(long delayNanos, Runnable task) {
        long atNanos = System.nanoTime() + delayNanos;
        if (isLoopThread()) {
            timers.add(new Timer(atNanos, task));
        } else {
            execute(() -> timers.add(new Timer(atNanos, task)));
        }
    }

    /** @return true if the caller runs on this loop's thread, where it must not wait for this loop */
    public boolean isLoopThread() {
        return Thread.currentThread() == thread;
    }

    /** Closes every client of this loop, without a goodbye, and ends its thread. */
    @Override
    public void close() {
        runner.close();
    }

    void add(Session session) {
        sessions.add(session);
        if (closed) {
            session.terminate(closedBecause);
        }
    }

    void remove(Session session) {
        sessions.remove(session);
    }

    SelectionKey register(SocketChannel channel, int operations, ReadyHandler handler) throws IOException {
        return channel.register(selector, operations, handler);
    }

    /** Flushes the connection on the loop's thread, after its current work. */
    void flushSoon(Connection connection) {
        if (isLoopThread()) {
            unsent.add(connection);
        } else {
            unsentElsewhere.add(connection);
            wakeUp();
        }
    }

    /** Called on the loop's thread. */
    ByteLink link(SocketChannel channel, SSLEngine tls) throws IOException {
        if (tls == null) {
            return new PlainLink(channel);
        }
        if (tlsBuffers == null) {
            tlsBuffers = new TlsBuffers();
        }
        return new TlsLink(channel, tls, tlsBuffers);
    }

    ByteBuffer readBuffer() {
        return readBuffer;
    }

    /** Runs code of the caller; its exceptions are logged and end nothing. */
    static void guarded(Runnable code) {
        try {
            code.run();
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            LOG.log(Level.SEVERE, "a task failed: " + e, e);
        }
    }

    static void complete(Completion completion, long tag, Status status, Response response, long sentNanos,
                         long endNanos) {
        try {
            completion.completed(tag, status, response, sentNanos, endNanos);
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            LOG.log(Level.SEVERE, "a completion failed: " + e, e);
        }
    }

    /**
     * Closes the clients after an error has ended the loop's thread. Their state tells the reason, and the user's
     * process goes on.
     */
    private void failed(String name, Throwable error) {
        end(name + " has failed: " + error);
        try {
            LOG.log(Level.SEVERE, error, () -> name + " has failed, and its clients are closed: " + error);
            selector.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, e, () -> "closing the selector of a failed loop failed: " + e.getMessage());
        }
    }

    private void end(String why) {
        closedBecause = why;
        closed = true;
        sessions.forEach(session -> session.terminate(why));
    }

    private void wakeUp() {
        if (!isLoopThread() && awake.compareAndSet(false, true)) {
            selector.wakeup();
        }
    }

    private void ready(SelectionKey key) {
        if (key.isValid()) {
            ((ReadyHandler) key.attachment()).ready(key);
        }
        if (unsent.size() >= TURN_CONNECTIONS) {
            flushUnsent();
        }
    }

    private int flushUnsent() {
        int done = 0;
        for (Connection next = unsent.poll(); next != null; next = unsent.poll()) {
            next.flush();
            done++;
        }
        return done;
    }

    private record Timer(long atNanos, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.signum(atNanos - other.atNanos);
        }
    }

    /** The work of the loop's thread. */
    private final class Work implements Agent {
        private final String name;

        private Work(String name) {
            this.name = name;
        }

        @Override
        public String roleName() {
            return name;
        }

        @Override
        public void onStart() {
            thread = Thread.currentThread();
        }

        @Override
        public int doWork() throws IOException {
            long millis = millisToNextTimer();
            int done = millis == 0 ? selector.selectNow(readyAction) : selector.select(readyAction, millis);
            // This is reset before the queues are read, so that later entries wake the next select.
            awake.set(false);
            return done + runTasks() + runTimers() + flush();
        }

        @Override
        public void wakeUp() {
            selector.wakeup();
        }

        @Override
        public void onClose() throws IOException {
            end(closedBecause);
            runTasks();
            selector.close();
        }

        private long millisToNextTimer() {
            if (!tasks.isEmpty() || !unsent.isEmpty() || !unsentElsewhere.isEmpty()) {
                return 0;
            }
            Timer next = timers.peek();
            if (next == null) {
                return IDLE_MILLIS;
            }
            long nanos = next.atNanos - System.nanoTime();
            return nanos <= 0 ? 0 : Math.min(IDLE_MILLIS, (nanos + 999_999) / 1_000_000);
        }

        private int runTasks() {
            int done = 0;
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                guarded(task);
                done++;
            }
            return done;
        }

        private int runTimers() {
            if (timers.isEmpty()) {
                return 0;
            }
            int done = 0;
            long now = System.nanoTime();
            while (!timers.isEmpty() && timers.peek().atNanos - now <= 0) {
                guarded(timers.poll().task());
                done++;
            }
            return done;
        }

        private int flush() {
            int done = 0;
            for (Connection next = unsentElsewhere.poll(); next != null; next = unsentElsewhere.poll()) {
                next.flush();
                done++;
            }
            return done + flushUnsent();
        }
    }
}
