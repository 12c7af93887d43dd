package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.Software;
import ch.ethz.mlmq.protocol.wire.TcpKeepAlive;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLEngine;

/**
 * Keeps one client connected. It tries one broker after the other until one responds, registers the client there again,
 * and repeats this whenever the connection is lost. Any thread may submit; the rest happens on the loop's thread.
 */
final class Session implements ClientLoop.ReadyHandler {
    private final ClientLoop loop;
    private final ClientConfig config;
    private final StateListener listener;
    private final Backoff backoff;
    private final DropCounts drops = new DropCounts();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private volatile ClientState state = ClientState.CONNECTING;
    private volatile Connection usable;
    private volatile String reason = "not connected yet";
    private CompletableFuture<Void> connected = new CompletableFuture<>();

    // Only the loop's thread uses these fields.
    private int broker;
    private int failedOfRound;
    private SocketChannel channel;
    private Connection connection;
    /** Negative before the first connection with TLS. */
    private int tlsSlot = -1;
    private String name;
    private long token;
    /** True if the broker does not know the handshake; it is not tried again with this broker now. */
    private boolean plain;
    private volatile Response.Welcome welcome;
    private long upNanos;
    private boolean closing;
    private int lastId;
    /** Requests of earlier connections whose messages were not delivered. */
    private int[] unanswered = {};
    /** Number of attempts, so that events of an earlier attempt are ignored. */
    private long attempts;

    Session(ClientLoop loop, ClientConfig config, StateListener listener) {
        this.loop = loop;
        this.config = config;
        this.listener = listener;
        this.backoff = new Backoff(config, new SplittableRandom());
    }

    void start() {
        loop.add(this);
        loop.execute(this::connect);
    }

    /** @return {@link Status#OK} if the completion will be called, else why it will not */
    Status submit(Request request, long tag, Completion completion) {
        Connection current = usable;
        if (current == null) {
            return Status.NOT_CONNECTED;
        }
        Completion told = request instanceof Request.Register register
                ? remembering(register.name(), completion) : completion;
        return current.submit(request, nanos(timeoutMillis(request)), tag, told);
    }

    /** Runs a task on the loop's thread: at once, if that calls. */
    void onLoop(Runnable task) {
        if (loop.isLoopThread()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    ClientState state() {
        return state;
    }

    /** @return one line for people with the reason of its state */
    String reason() {
        return reason;
    }

    int inFlight() {
        Connection current = usable;
        return current == null ? 0 : current.inFlight();
    }

    DropCounts drops() {
        return drops;
    }

    /**
     * @return a future that completes when requests can be sent; it fails when an attempt with every broker has failed,
     * or the session is closed
     */
    synchronized CompletableFuture<Void> whenConnected() {
        return connected.copy();
    }

    /** Says goodbye if there is a connection, and ends the session. */
    CompletableFuture<Void> close() {
        loop.execute(this::sayGoodbye);
        return closed.copy();
    }

    /** Ends the session without a goodbye. Called on the loop's thread. */
    void terminate(String why) {
        if (state == ClientState.CLOSED) {
            return;
        }
        usable = null;
        loop.remove(this);
        Connection ended = connection;
        connection = null;
        abandonChannel();
        changeState(ClientState.CLOSED, why);
        failConnected(true);
        if (ended != null) {
            ended.close(why);
        }
        drops.dropped(unanswered.length);
        if (tlsSlot >= 0) {
            config.tls().giveBack(tlsSlot);
        }
        closed.complete(null);
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            channel.finishConnect();
            established(key);
        } catch (IOException e) {
            unreachable(e);
        }
    }

    private void sayGoodbye() {
        closing = true;
        Connection current = usable;
        if (current != null) {
            reason = "closed";
            current.giveUpTaking();
        }
        Status status = current == null ? Status.NOT_CONNECTED : current.submit(new Request.Goodbye(),
                nanos(config.requestTimeoutMillis()), 0, (tag, answer, response, sent, end) -> terminate("closed"));
        if (status != Status.OK) {
            terminate("closed");
        }
    }

    private void connect() {
        if (state == ClientState.CLOSED) {
            return;
        }
        BrokerAddress address = address();
        changeState(ClientState.CONNECTING, "connecting to " + address);
        // Resolving a name may block, so it must not run on the loop's thread.
        long attempt = ++attempts;
        CompletableFuture.supplyAsync(address::resolve).whenComplete((resolved, e) -> loop.execute(() -> {
            if (attempt == attempts && e == null) {
                open(resolved);
            } else if (attempt == attempts) {
                attemptFailed(address + ": its name cannot be looked up (" + e.getMessage() + ")");
            }
        }));
        loop.schedule(nanos(config.connecting().timeoutMillis()), () -> giveUp(attempt));
    }

    private void open(InetSocketAddress resolved) {
        if (state == ClientState.CLOSED) {
            return;
        }
        if (resolved.isUnresolved()) {
            attemptFailed(address() + ": unknown host");
            return;
        }
        try {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            TcpKeepAlive.on(channel);
            if (config.connecting().source() != null) {
                channel.bind(new InetSocketAddress(config.connecting().source(), 0));
            }
            SelectionKey key = loop.register(channel, SelectionKey.OP_CONNECT, this);
            if (channel.connect(resolved)) {
                established(key);
            }
        } catch (IOException | UnsupportedOperationException e) {
            unreachable(e);
        }
    }

    /** Puts the platform's message, which differs between platforms, behind our own words. */
    private void unreachable(Exception e) {
        attemptFailed(address() + ": no broker can be reached there (" + e.getMessage() + ")");
    }

    private void giveUp(long attempt) {
        if (attempt == attempts && connection == null && state == ClientState.CONNECTING) {
            attemptFailed(address() + ": no connection within " + config.connecting().timeoutMillis() + " ms");
        }
    }

    private void established(SelectionKey key) throws IOException {
        connection = new Connection(loop, key, loop.link(channel, tls()), config, lastId, drops, this::lost);
        channel = null;
        key.attach(connection);
        key.interestOps(SelectionKey.OP_READ);
        if (plain) {
            plain = false;
            greeted(connection, null);
        } else {
            greet(connection);
        }
    }

    /** @return null for a connection in the clear */
    private SSLEngine tls() {
        if (config.tls() == null) {
            return null;
        }
        if (tlsSlot < 0) {
            tlsSlot = config.tls().lendSlot();
        }
        return config.tls().engine(address(), tlsSlot);
    }

    private void greet(Connection fresh) {
        fresh.submit(new Request.Hello(Request.Hello.VERSION, Features.ALL, Software.NAME,
                        config.maxPayloadBytes()),
                nanos(config.connecting().timeoutMillis()), 0, (tag, status, response, sent, end) -> {
                    if (fresh != connection) {
                        return;
                    }
                    if (status == Status.OK) {
                        greeted(fresh, response instanceof Response.Welcome answer ? answer : null);
                    } else if (status == Status.PROTOCOL_ERROR) {
                        // The broker is older than the handshake, and closes the connection now.
                        connection = null;
                        plain = true;
                        fresh.close("the broker does not know the handshake");
                        connect();
                    } else {
                        refused(fresh, status, response);
                    }
                });
    }

    private void greeted(Connection fresh, Response.Welcome answer) {
        welcome = answer;
        if (answer != null && Limits.leastPayloadBytes(answer.contentMax()) > config.maxPayloadBytes()) {
            mismatch(fresh, answer.contentMax());
            return;
        }
        String why = SignIn.mismatch(config, answer);
        if (why != null) {
            giveUp(fresh, why);
            return;
        }
        if (answer != null) {
            fresh.agreed(answer);
        }
        if (config.credentials() == null) {
            known(fresh);
        } else {
            new SignIn(loop, fresh, config, answer, failure -> signedIn(fresh, failure)).begin();
        }
    }

    private void signedIn(Connection fresh, String failure) {
        if (fresh == connection && failure != null) {
            giveUp(fresh, failure);
        } else if (fresh == connection) {
            known(fresh);
        }
    }

    /** Registers the client again if it had a name before. */
    private void known(Connection fresh) {
        if (name == null) {
            up(fresh);
        } else {
            registerAgain(fresh);
        }
    }

    private void mismatch(Connection fresh, int contentMax) {
        giveUp(fresh, "messages of the broker have up to " + contentMax + " bytes, and the longest frame of this "
                + "client is " + config.maxPayloadBytes() + " bytes: set maxPayloadBytes to "
                + Limits.leastPayloadBytes(contentMax) + " or more");
    }

    private void refused(Connection fresh, Status status, Response response) {
        giveUp(fresh, response instanceof Response.Failure failure ? failure.text() : status.toString());
    }

    /** Closes a connection that is of no use, and tries again later. */
    private void giveUp(Connection fresh, String why) {
        connection = null;
        fresh.close(why);
        attemptFailed(address() + ": " + why);
    }

    /** @return true if the broker has granted the feature */
    boolean has(long feature) {
        Response.Welcome answer = welcome;
        return answer != null && (answer.features() & feature) != 0;
    }

    /** @return the broker's description of itself from the last connection; null if it knows no handshake */
    Response.Welcome welcome() {
        return welcome;
    }

    private void registerAgain(Connection fresh) {
        fresh.submit(new Request.Register(name, has(Features.SESSION_TOKEN) ? token : 0),
                nanos(config.requestTimeoutMillis()), 0, (tag, status, response, sent, end) -> {
                    if (fresh != connection) {
                        return;
                    }
                    if (status == Status.OK) {
                        token = ((Response.Registered) response).token();
                        up(fresh);
                    } else {
                        refused(fresh, status, response);
                    }
                });
    }

    private void up(Connection fresh) {
        failedOfRound = 0;
        upNanos = System.nanoTime();
        fresh.requeue(unanswered);
        unanswered = new int[0];
        usable = fresh;
        changeState(ClientState.CONNECTED, "connected to " + address());
        CompletableFuture<Void> waiting;
        synchronized (this) {
            waiting = connected;
        }
        ClientLoop.guarded(() -> waiting.complete(null));
    }

    private void lost(String why, int[] requests) {
        boolean wasUp = usable != null;
        if (connection != null) {
            lastId = connection.lastId();
        }
        if (wasUp) {
            unanswered = requests;
        }
        usable = null;
        connection = null;
        if (closing) {
            terminate("closed");
            return;
        }
        if (wasUp) {
            // A short connection, such as one to a full broker, must not shorten the pauses between attempts.
            if (System.nanoTime() - upNanos > nanos(config.connecting().pauses().maxMillis())) {
                backoff.reset();
            }
            synchronized (this) {
                connected = new CompletableFuture<>();
            }
        }
        attemptFailed(address() + ": " + why);
    }

    /** Waits, then tries the next broker. */
    private void attemptFailed(String why) {
        if (state == ClientState.CLOSED) {
            return;
        }
        abandonChannel();
        attempts++;
        changeState(ClientState.BACKING_OFF, why);
        broker = (broker + 1) % config.brokers().size();
        if (++failedOfRound >= config.brokers().size()) {
            failedOfRound = 0;
            failConnected(false);
        }
        loop.schedule(nanos(backoff.nextMillis()), this::connect);
    }

    private void abandonChannel() {
        SocketChannel abandoned = channel;
        channel = null;
        if (abandoned != null) {
            try {
                abandoned.close();
            } catch (IOException e) {
                // It was never connected, so nothing waits on it.
            }
        }
    }

    private void failConnected(boolean forGood) {
        MlmqException failure = MlmqException.of(Status.NOT_CONNECTED, reason);
        CompletableFuture<Void> waiting;
        synchronized (this) {
            waiting = connected;
            connected = forGood ? CompletableFuture.failedFuture(failure) : new CompletableFuture<>();
        }
        waiting.completeExceptionally(failure);
    }

    private void changeState(ClientState next, String why) {
        reason = why;
        state = next;
        ClientLoop.guarded(() -> listener.changed(next, why));
    }

    private Completion remembering(String registered, Completion completion) {
        return (tag, status, response, sentNanos, endNanos) -> {
            Response told = response;
            if (status == Status.OK && response instanceof Response.Registered answer) {
                name = registered;
                token = answer.token();
                told = answer.withoutToken();
            }
            completion.completed(tag, status, told, sentNanos, endNanos);
        };
    }

    private BrokerAddress address() {
        return config.brokers().get(broker);
    }

    /** @return the longest time until its response [ms] */
    long timeoutMillis(Request request) {
        int waitMillis = request instanceof Request.Retrieval retrieval ? retrieval.query().waitMillis() : 0;
        return (long) Math.max(0, waitMillis) + config.requestTimeoutMillis();
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Pauses between attempts to connect. A pause doubles after each round, minus a random part for each client. */
    static final class Backoff {
        private final int minMillis;
        private final int maxMillis;
        private final int attemptsPerRound;
        private final RandomGenerator random;
        private int attempts;

        Backoff(ClientConfig config, RandomGenerator random) {
            this.minMillis = config.connecting().pauses().minMillis();
            this.maxMillis = config.connecting().pauses().maxMillis();
            this.attemptsPerRound = config.brokers().size();
            this.random = random;
        }

        /** @return the next pause [ms], from half of the round's pause to all of it */
        long nextMillis() {
            int round = attempts++ / attemptsPerRound;
            long due = round >= 31 ? maxMillis : Math.min(maxMillis, (long) minMillis << round);
            return due - random.nextLong(due / 2 + 1);
        }

        void reset() {
            attempts = 0;
        }
    }
}
