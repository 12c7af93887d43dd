package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.TcpKeepAlive;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Reads requests and writes answers of its connections, with one selector.
 *
 * <p>Each round it reads what has come, hands the requests on together, and only then writes: so the next batch is on
 * its way to the database while the answers of the last are written. Other threads wake it at most once a round.
 */
final class IoAgent implements Agent {
    private static final Logger LOG = Logger.getLogger(IoAgent.class.getName());
    private static final long SELECT_MILLIS = 500;
    /** Connections read before what they led to is written, so that the other side need not wait for all of them. */
    private static final int TURN_CONNECTIONS = 32;
    /** Nor are more bytes of requests gathered before they are handed on. */
    private static final long TURN_BYTES = 1 << 20;
    private static final Duration SWEEP = Duration.ofMillis(250);
    /** An answer to what was asked before a bad frame may keep the connection open so long. */
    private static final long FAREWELL_NANOS = 10_000_000_000L;

    private final int number;
    private final BrokerContext context;
    private final Dispatcher dispatcher;
    private final Selector selector;
    private final BufferPool pool;
    private final Inbox inbox;
    private final Outbox outbox;
    private final ResponseQueue responses;
    private final Queue<Newcomer> newcomers = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    private final List<Exchange> received = new ArrayList<>();
    private final List<Exchange> refused = new ArrayList<>();
    private final List<Exchange> answered = new ArrayList<>();
    private final Consumer<SelectionKey> ready = this::ready;
    private final Complaints complaints = new Complaints();
    private int readInTurn;
    private long gatheredBytes;
    /** When this round began to look for what has come: whatever came before is read in it [ns]. */
    private long lookedNanos = System.nanoTime();
    private final Every sweep = Every.after(SWEEP);
    private volatile Thread thread;
    private volatile boolean unwritten;

    IoAgent(int number, BrokerContext context, Dispatcher dispatcher) throws IOException {
        this.number = number;
        this.context = context;
        this.dispatcher = dispatcher;
        this.selector = Selector.open();
        this.pool = new BufferPool(context.memory(), this::relieve);
        Cancellations cancellations = new Cancellations(dispatcher);
        this.outbox = new Outbox(context, dispatcher, cancellations, pool, this::close);
        this.inbox = new Inbox(context, pool, received, answered, cancellations);
        this.responses = new ResponseQueue(this, context.limits().responseQueue(),
                BrokerLimits.BATCH_BYTES, dispatcher::undeliverable);
    }

    @Override
    public String roleName() {
        return "io-" + number;
    }

    /**
     * Called by any thread: this agent is to serve the connection.
     *
     * @param full whether all there is to do is to say that there are as many clients as there may be
     */
    void adopt(SocketChannel channel, boolean full) {
        newcomers.add(new Newcomer(channel, full));
        wake();
    }

    /** Called by any thread: to be done by this agent's thread. */
    void run(Runnable errand) {
        errands.add(errand);
        wake();
    }

    /** Called by any thread with answered exchanges, of this agent's connections among others. */
    void respond(List<Exchange> exchanges) throws InterruptedException {
        if (responses.offer(exchanges)) {
            wake();
        }
    }

    boolean isThisThread() {
        return Thread.currentThread() == thread;
    }

    void wake() {
        if (!awake.getAndSet(true)) {
            selector.wakeup();
        }
    }

    @Override
    public void wakeUp() {
        wake();
    }

    /** @return answers that wait to be written */
    int waitingResponses() {
        return responses.size();
    }

    /** @return buffers in use */
    int buffersOut() {
        return pool.out();
    }

    /** @return whether there is nothing to write; may be asked by any thread */
    boolean isQuiet() {
        return responses.size() == 0 && !unwritten;
    }

    /** Called by this agent's thread: executes a request that is here already. */
    void execute(Exchange exchange) {
        received.add(exchange);
        submit();
    }

    /** Called by this agent's thread: the clients have to connect and register anew. */
    void closeRegistered() {
        connections().stream().filter(connection -> connection.client() != 0).forEach(this::close);
    }

    /** Called by this agent's thread. */
    List<ClientConnection> connections() {
        return selector.keys().stream().filter(SelectionKey::isValid)
                .map(key -> (ClientConnection) key.attachment()).toList();
    }

    @Override
    public void onStart() {
        thread = Thread.currentThread();
    }

    @Override
    public int doWork() throws IOException {
        lookedNanos = System.nanoTime();
        selector.select(ready, SELECT_MILLIS);
        awake.set(false);
        adoptNewcomers();
        for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
            guarded(errand);
        }
        unwritten = !turn() || isStopping() && connections().stream().anyMatch(c -> !c.outbound.isEmpty());
        sweep();
        return 1;
    }

    /** What goes wrong with one thing is no reason to keep all others waiting. */
    private void guarded(Runnable errand) {
        try {
            errand.run();
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, e, () -> roleName() + ": " + e);
        }
    }

    /**
     * Hands on what was read and writes what is answered.
     *
     * @return whether all of it was taken
     */
    private boolean turn() {
        long start = System.nanoTime();
        readInTurn = 0;
        gatheredBytes = 0;
        boolean all = true;
        do {
            submit();
            responses.drainTo(answered);
            for (Exchange exchange : answered) {
                give(exchange);
                if (outbox.isCrowded()) {
                    all &= outbox.flush();
                }
            }
            answered.clear();
            all &= outbox.flush();
        } while (!received.isEmpty());
        context.counters().ioNanos.add(System.nanoTime() - start);
        return all;
    }

    /** What goes wrong with one answer ends its connection, and is no reason to give those before it once more. */
    private void give(Exchange exchange) {
        try {
            outbox.add(exchange);
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, e, () -> roleName() + " closes a connection, as an answer failed: " + e);
            if (exchange.answerEnd == 0) {
                dispatcher.undeliverable(exchange);
            }
            close(exchange.connection);
        }
    }

    /** Answers that came at the last moment are given, or what they took goes back. */
    @Override
    public void onClose() throws IOException {
        responses.close();
        turn();
        connections().forEach(this::close);
        for (Newcomer newcomer = newcomers.poll(); newcomer != null; newcomer = newcomers.poll()) {
            newcomer.channel.close();
            context.counters().clients.decrementAndGet();
        }
        selector.close();
    }

    /** Closes the connections whose time is over, judged by what had come when this round began to read. */
    private void sweep() {
        long now = System.nanoTime();
        if (sweep.isDue(now)) {
            connections().forEach(connection -> guarded(() -> sweep(connection, now, lookedNanos)));
        }
    }

    private void sweep(ClientConnection connection, long now, long looked) {
        if (connection.lingeringUntil != 0) {
            if (now - connection.lingeringUntil > 0) {
                close(connection);
            }
        } else if (isOver(context.limits().times().write(), connection.progressNanos, now)
                && connection.hasUnwritten() && !outbox.takesMore(connection)) {
            sendAway(connection, "it took no byte of its answers for longer than broker.connection.write.timeout");
        } else if (connection.farewell != null) {
            if (now - connection.heardNanos > FAREWELL_NANOS) {
                outbox.sayFarewellAtLast(connection);
            }
        } else if (!connection.isCongested()) {
            String silence = silence(connection, looked);
            if (silence != null) {
                sendAway(connection, silence);
            }
        }
    }

    /** @return why the connection was silent for too long, or null where it was not */
    private String silence(ClientConnection connection, long looked) {
        TimeLimits times = context.limits().times();
        if (connection.client() == 0) {
            // Whoever has asked waits for us.
            return connection.unanswered == 0 && isOver(times.register(), connection.heardNanos, looked)
                    ? "it sent no request and did not register within broker.connection.register.timeout" : null;
        }
        if (connection.has(Features.KEEP_ALIVE)) {
            return isOver(times.keepAlive(), connection.heardNanos, looked)
                    ? "it gave no sign of life for longer than broker.connection.keepalive.timeout" : null;
        }
        return isOver(times.idle(), connection.heardNanos, looked)
                ? "it sent no request for longer than broker.connection.idle.timeout" : null;
    }

    private static boolean isOver(long limit, long since, long now) {
        return limit > 0 && now - since > limit;
    }

    /**
     * Makes room by writing what waits to be written, else by sending the connection away that holds most.
     *
     * @return whether there may be room now
     */
    private boolean relieve() {
        outbox.flush();
        if (pool.hasFree()) {
            return true;
        }
        ClientConnection greediest = context.connections().greediest(one -> true);
        if (greediest != null && greediest.owner != this) {
            IoAgent owner = greediest.owner;
            ClientConnection theirs = greediest;
            greediest.condemned = true;
            owner.run(() -> owner.sendAwayGreedy(theirs));
            greediest = context.memory().isFarExceeded()
                    ? context.connections().greediest(one -> one.owner == this) : null;
        }
        if (greediest == null) {
            return false;
        }
        sendAwayGreedy(greediest);
        return true;
    }

    private void sendAwayGreedy(ClientConnection connection) {
        if (connection.unconfirmed != null) {
            connection.unconfirmed.clear();
        }
        sendAway(connection, "all connections together hold more than broker.memory.max=" + context.memory().max()
                + " bytes, and it held most, " + connection.memory());
    }

    /** Called by this agent's thread: closes the connection, which is told why where it can be. */
    void sendAway(ClientConnection connection, String why) {
        if (!connection.isOpen()) {
            return;
        }
        connection.condemned = true;
        connection.serveNoMore();
        context.counters().sentAway.increment();
        String who = connection.name() == null ? "a connection" : "the connection of client " + connection.name();
        complaints.warn(LOG, () -> who + " is closed: " + why);
        inbox.forget(connection);
        if (connection.hasUnwritten() || connection.lingeringUntil != 0) {
            close(connection);
            return;
        }
        try {
            outbox.sayFarewellNow(connection, new Response.Failure(Status.CONNECTION_CLOSED, why));
        } catch (IOException e) {
            close(connection);
        }
    }

    private void ready(SelectionKey key) {
        ClientConnection connection = (ClientConnection) key.attachment();
        try {
            if (key.isValid() && key.isReadable()) {
                readInTurn++;
                if (!inbox.read(connection)) {
                    close(connection);
                }
            }
            if (key.isValid() && key.isWritable()) {
                outbox.writable(connection);
            }
        } catch (ProtocolException e) {
            protocolError(connection, e);
        } catch (IOException e) {
            LOG.log(Level.FINE, e, () -> "connection lost: " + e.getMessage());
            close(connection);
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, e, () -> roleName() + " closes a connection after " + e);
            close(connection);
        }
        gatheredBytes += inbox.takeReceivedBytes();
        if (readInTurn >= TURN_CONNECTIONS || gatheredBytes >= TURN_BYTES) {
            turn();
        }
    }

    /** Reads no more from this connection, and says why when what it asked before is answered. */
    private void protocolError(ClientConnection connection, ProtocolException e) {
        context.counters().errors.increment();
        LOG.log(Level.FINE, e, () -> "protocol error: " + e.getMessage());
        connection.key.interestOpsAnd(~SelectionKey.OP_READ);
        connection.farewell = new ClientConnection.Farewell(connection.reader.correlationId(),
                new Response.Failure(Status.PROTOCOL_ERROR, e.getMessage()));
        if (connection.unanswered > 0) {
            dispatcher.waitNoMore(connection);
        }
        outbox.sayFarewellAfterAll(connection);
    }

    private void adoptNewcomers() {
        for (Newcomer newcomer = newcomers.poll(); newcomer != null; newcomer = newcomers.poll()) {
            SocketChannel channel = newcomer.channel;
            ClientConnection connection =
                    new ClientConnection(this, channel, context.limits().protocol().maxPayloadBytes(), newcomer.full);
            try {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                TcpKeepAlive.on(channel);
                connection.key = channel.register(selector, SelectionKey.OP_READ, connection);
                context.connections().add(connection);
            } catch (IOException e) {
                LOG.log(Level.FINE, e, () -> "connection lost: " + e.getMessage());
                close(connection);
            }
        }
    }

    /** Hands on what was read in this round, or the first part of it; what is refused is answered here. */
    private void submit() {
        if (received.isEmpty()) {
            return;
        }
        if (isStopping()) {
            refuseAll();
            return;
        }
        dispatcher.dispatch(received, refused, answered);
        for (Exchange exchange : refused) {
            context.counters().shed.increment();
            if (context.limits().dropsSilently()) {
                outbox.skip(exchange);
            } else {
                give(exchange);
            }
        }
        refused.clear();
    }

    private boolean isStopping() {
        return context.status().state() == BrokerState.STOPPING;
    }

    private void refuseAll() {
        for (Exchange exchange : received) {
            exchange.answerStopping();
            give(exchange);
        }
        received.clear();
    }

    private void close(ClientConnection connection) {
        if (!connection.isOpen()) {
            return;
        }
        connection.closed();
        try {
            connection.channel.close();
        } catch (IOException e) {
            LOG.log(Level.FINE, e, () -> "while closing: " + e.getMessage());
        }
        context.connections().remove(connection);
        inbox.forget(connection);
        outbox.forget(connection);
        context.counters().clients.decrementAndGet();
        dispatcher.left(connection);
    }

    /** A connection that was accepted, and whether it is one too many; those that came after it do not change that. */
    private record Newcomer(SocketChannel channel, boolean full) {
    }
}
