package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.log.Agent;
import ch.ethz.mlmq.protocol.ProtocolException;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Reads requests and writes answers of its connections, with one selector.
 *
 * <p>Each round it reads what has come, hands the requests on together, and only then writes: so the next batch is on its
 * way to the database while the answers of the last are written. Other threads wake it at most once a round.
 */
final class IoAgent implements Agent {
    private static final Logger LOG = Logger.getLogger(IoAgent.class.getName());
    private static final long SELECT_MILLIS = 500;
    /** Connections read before what they led to is written, so that the other side need not wait for all of them. */
    private static final int TURN_CONNECTIONS = 32;

    private final int number;
    private final BrokerContext context;
    private final Dispatcher dispatcher;
    private final Selector selector;
    private final BufferPool pool = new BufferPool();
    private final Inbox inbox;
    private final Outbox outbox;
    private final ResponseQueue responses;
    private final Queue<Newcomer> newcomers = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    private final List<Exchange> received = new ArrayList<>();
    private final List<Exchange> refused = new ArrayList<>();
    private final List<Exchange> answered = new ArrayList<>();
    private int readInTurn;
    private long lookedForLingering = System.nanoTime();
    private volatile boolean unwritten;

    IoAgent(int number, BrokerContext context, Dispatcher dispatcher) throws IOException {
        this.number = number;
        this.context = context;
        this.dispatcher = dispatcher;
        this.selector = Selector.open();
        this.outbox = new Outbox(context, dispatcher, pool, this::close);
        this.inbox = new Inbox(context, pool, received);
        this.responses = new ResponseQueue(this, context.limits().responseQueue());
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
    public int doWork() throws IOException {
        selector.select(this::ready, SELECT_MILLIS);
        awake.set(false);
        adoptNewcomers();
        for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
            errand.run();
        }
        unwritten = !turn() || isStopping() && connections().stream().anyMatch(c -> !c.outbound.isEmpty());
        closeLingering(System.nanoTime());
        return 1;
    }

    /**
     * Hands on what was read and writes what is answered.
     *
     * @return whether all of it was taken
     */
    private boolean turn() {
        long start = System.nanoTime();
        readInTurn = 0;
        submit();
        responses.drainTo(answered);
        for (Exchange exchange : answered) {
            outbox.add(exchange);
        }
        answered.clear();
        boolean all = outbox.flush();
        context.counters().ioNanos.add(System.nanoTime() - start);
        return all;
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

    private void closeLingering(long now) {
        if (now - lookedForLingering > SELECT_MILLIS * 1_000_000) {
            lookedForLingering = now;
            connections().stream().filter(c -> c.lingeringUntil != 0 && now - c.lingeringUntil > 0).forEach(this::close);
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
        }
        if (readInTurn >= TURN_CONNECTIONS) {
            turn();
        }
    }

    /** Answers if it can, and reads no more from this connection. */
    private void protocolError(ClientConnection connection, ProtocolException e) {
        context.counters().errors.increment();
        LOG.log(Level.FINE, e, () -> "protocol error: " + e.getMessage());
        connection.key.interestOpsAnd(~SelectionKey.OP_READ);
        connection.closeWhenWritten = true;
        outbox.add(connection, connection.reader.correlationId(),
                new Response.Failure(Status.PROTOCOL_ERROR, e.getMessage()));
    }

    private void adoptNewcomers() {
        for (Newcomer newcomer = newcomers.poll(); newcomer != null; newcomer = newcomers.poll()) {
            SocketChannel channel = newcomer.channel;
            ClientConnection connection =
                    new ClientConnection(this, channel, context.limits().protocol().maxPayloadBytes(), newcomer.full);
            try {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
                connection.key = channel.register(selector, SelectionKey.OP_READ, connection);
            } catch (IOException e) {
                LOG.log(Level.FINE, e, () -> "connection lost: " + e.getMessage());
                close(connection);
            }
        }
    }

    /** Hands on what was read in this round; what is refused is answered here. */
    private void submit() {
        if (received.isEmpty()) {
            return;
        }
        if (isStopping()) {
            refuseAll();
            return;
        }
        dispatcher.dispatch(received, refused, answered);
        received.clear();
        for (Exchange exchange : refused) {
            context.counters().shed.increment();
            if (!context.limits().dropsSilently()) {
                exchange.answer(new Response.Failure(Status.OVERLOADED, "the broker's request queue is full"));
                outbox.add(exchange);
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
            outbox.add(exchange);
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
        inbox.forget(connection);
        outbox.forget(connection);
        context.counters().clients.decrementAndGet();
        dispatcher.left(connection);
    }

    /** A connection that was accepted, and whether it is one too many; those that came after it do not change that. */
    private record Newcomer(SocketChannel channel, boolean full) {
    }
}
