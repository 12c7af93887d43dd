package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.broker.audit.Refusal;
import ch.ethz.mlmq.broker.limits.BrokerLimits;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.ClientSession;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.broker.status.BrokerState;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.tls.TlsBuffers;
import ch.ethz.mlmq.protocol.tls.TlsException;
import ch.ethz.mlmq.protocol.tls.TlsLink;
import ch.ethz.mlmq.protocol.wire.ByteLink;
import ch.ethz.mlmq.protocol.wire.PlainLink;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import java.io.IOException;
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
 * Reads requests and writes responses of its connections, with one selector.
 *
 * <p>In each round it reads all available bytes, dispatches the requests together, and only then writes. So the next
 * batch is on its way to the database while the responses of the last one are written. Other threads wake it at most
 * once a round.
 */
public final class IoAgent implements Agent {
    private static final Logger LOG = Logger.getLogger(IoAgent.class.getName());
    private static final long SELECT_MILLIS = 500;
    /** Connections that are read before their responses are written, so that no client waits for all the others. */
    private static final int TURN_CONNECTIONS = 32;
    /** Bytes of requests that are gathered before they are dispatched. */
    private static final long TURN_BYTES = 1 << 20;
    private static final Duration SWEEP = Duration.ofMillis(250);

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
    private final List<SocketLink> ended = new ArrayList<>();
    private final Consumer<SelectionKey> ready = this::ready;
    private final Complaints complaints = new Complaints();
    private final Patience patience;
    private int readInTurn;
    private long gatheredBytes;
    /** When this round began to look for bytes; all bytes that arrived earlier are read in it [ns]. */
    private long lookedNanos = System.nanoTime();
    private final TlsBuffers tlsBuffers;
    private final Every sweep = Every.after(SWEEP);
    private volatile Thread thread;
    private volatile boolean unwritten;

    /** @param number number of the thread, for its name */
    public IoAgent(int number, BrokerContext context, Dispatcher dispatcher) throws IOException {
        this.number = number;
        this.context = context;
        this.dispatcher = dispatcher;
        this.patience = new Patience(context.limits().times());
        this.tlsBuffers = context.tls() == null ? null : new TlsBuffers();
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
     * Lets this agent serve the connection. Any thread may call this.
     *
     * @param full true if the connection is one too many and only gets BROKER_FULL
     */
    void adopt(SocketChannel channel, boolean full) {
        newcomers.add(new Newcomer(channel, full));
        wake();
    }

    /** Runs the errand in this agent's thread. Any thread may call this. */
    public void run(Runnable errand) {
        errands.add(errand);
        wake();
    }

    /**
     * Passes exchanges that have a response; those of other agents' connections are ignored. Any thread may call this.
     */
    public void respond(List<Exchange> exchanges) throws InterruptedException {
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

    /** @return responses that wait to be written */
    public int waitingResponses() {
        return responses.size();
    }

    /** @return buffers in use */
    public int buffersOut() {
        return pool.out();
    }

    /** @return true if there is nothing to write; any thread may call this */
    public boolean isQuiet() {
        return responses.size() == 0 && !unwritten;
    }

    /** Executes a request that was received earlier. Called by this agent's thread. */
    void execute(Exchange exchange) {
        received.add(exchange);
        submit();
    }

    /**
     * Closes the registered connections soon, so that their clients connect and register again. Any thread may call
     * this.
     */
    public void closeRegisteredSoon() {
        run(() -> links().stream().filter(link -> link.connection.session().client() != 0).forEach(this::close));
    }

    /** Closes the connections of users that were removed. Any thread may call this. */
    public void closeRemovedUsersSoon() {
        run(() -> links().stream().filter(link -> context.users().isGone(link.connection.session().account()))
                .forEach(link -> sendAway(link, "its user was removed")));
    }

    /** @return the connections of this agent; called by this agent's thread */
    public List<ClientConnection> connections() {
        return links().stream().map(link -> link.connection).toList();
    }

    private List<SocketLink> links() {
        return selector.keys().stream().filter(SelectionKey::isValid)
                .map(key -> (SocketLink) key.attachment()).toList();
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
        boolean all = turn();
        ended.forEach(this::close);
        ended.clear();
        unwritten = !all || isStopping() && links().stream().anyMatch(SocketLink::hasUnsent);
        sweep();
        return 1;
    }

    /** Runs an errand; its failure does not stop the other errands. */
    private void guarded(Runnable errand) {
        try {
            errand.run();
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, e, () -> roleName() + ": " + e);
        }
    }

    /**
     * Dispatches the requests that were read, and writes responses.
     *
     * @return true if the sockets took all bytes
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

    /** Gives a response to its connection. A failure ends that connection; earlier responses are not given twice. */
    private void give(Exchange exchange) {
        try {
            outbox.add(exchange);
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, e, () -> roleName() + " closes a connection, because a response failed: " + e);
            if (!outbox.has(exchange)) {
                dispatcher.undeliverable(exchange);
            }
            close(SocketLink.of(exchange));
        }
    }

    /** Gives the responses that came last, or requeues the messages that they took. */
    @Override
    public void onClose() throws IOException {
        responses.close();
        turn();
        links().forEach(this::close);
        for (Newcomer newcomer = newcomers.poll(); newcomer != null; newcomer = newcomers.poll()) {
            newcomer.channel.close();
            context.counters().clients.decrementAndGet();
        }
        selector.close();
    }

    /** Closes connections whose time is over. Only bytes that arrived before this round began to read count. */
    private void sweep() {
        long now = System.nanoTime();
        if (sweep.isDue(now)) {
            links().forEach(link -> guarded(() -> sweep(link, now, lookedNanos)));
        }
    }

    private void sweep(SocketLink link, long now, long looked) {
        if (link.outbound.lingeringUntil != 0) {
            if (now - link.outbound.lingeringUntil > 0) {
                close(link);
            }
        } else if (patience.isWriteOver(link, now) && !outbox.takesMore(link)) {
            sendAway(link, "it read no byte of its responses for longer than broker.connection.write.timeout");
        } else if (link.outbound.farewell != null) {
            if (Patience.isFarewellOver(link, now)) {
                outbox.sayFarewellAtLast(link);
            }
        } else if (!link.isCongested() || link.connection.session().client() == 0) {
            String silence = patience.silence(link, looked);
            if (silence != null) {
                sendAway(link, silence);
            }
        }
    }

    /**
     * Makes room by writing pending responses, or by closing the connection that uses most memory.
     *
     * @return true if there may be room now
     */
    private boolean relieve() {
        outbox.flush();
        if (pool.hasFree()) {
            return true;
        }
        SocketLink greediest = context.connections().greediest(one -> true);
        if (greediest != null && greediest.agent != this) {
            SocketLink theirs = greediest;
            theirs.connection.session().condemn();
            theirs.agent.run(() -> theirs.agent.sendAwayGreedy(theirs));
            greediest = context.memory().isFarExceeded()
                    ? context.connections().greediest(one -> one.agent == this) : null;
        }
        if (greediest == null) {
            return false;
        }
        sendAwayGreedy(greediest);
        return true;
    }

    private void sendAwayGreedy(SocketLink link) {
        Unconfirmed kept = link.connection.session().unconfirmed();
        if (kept != null) {
            kept.clear();
        }
        sendAway(link, "all connections together use more than broker.memory.max=" + context.memory().max()
                + " bytes, and it uses most, " + link.memory());
    }

    /** Closes the connection, and sends it the reason if possible. Called by this agent's thread. */
    void sendAway(SocketLink link, String why) {
        if (!link.isOpen()) {
            return;
        }
        ClientSession session = link.connection.session();
        session.condemn();
        session.serveNoMore();
        context.counters().sentAway.increment();
        String who = session.name() == null ? "a connection" : "the connection of client " + session.name();
        complaints.warn(LOG, () -> who + " is closed: " + why);
        inbox.forget(link);
        if (link.outbound.hasUnwritten() || link.outbound.lingeringUntil != 0) {
            close(link);
            return;
        }
        try {
            outbox.sayFarewellNow(link, new Response.Failure(Status.CONNECTION_CLOSED, why));
        } catch (IOException e) {
            close(link);
        }
    }

    private void ready(SelectionKey key) {
        SocketLink link = (SocketLink) key.attachment();
        try {
            if (key.isValid() && key.isReadable()) {
                readInTurn++;
                if (!inbox.read(link)) {
                    close(link);
                } else {
                    hasRead(link);
                }
            }
            if (key.isValid() && key.isWritable()) {
                outbox.writable(link);
            }
        } catch (ProtocolException e) {
            protocolError(link, e);
        } catch (TlsException e) {
            tlsFailed(link, e);
        } catch (IOException e) {
            LOG.log(Level.FINE, e, () -> "connection lost: " + e.getMessage());
            close(link);
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, e, () -> roleName() + " closes a connection after " + e);
            close(link);
        }
        gatheredBytes += inbox.takeReceivedBytes();
        if (readInTurn >= TURN_CONNECTIONS || gatheredBytes >= TURN_BYTES) {
            turn();
        }
    }

    /** Stops reading from this connection, and sends it the error after the responses to its earlier requests. */
    private void protocolError(SocketLink link, ProtocolException e) {
        context.counters().errors.increment();
        LOG.log(Level.FINE, e, () -> "protocol error: " + e.getMessage());
        link.key.interestOpsAnd(~SelectionKey.OP_READ);
        outbox.sayFarewell(link, new Outbound.Farewell(link.inbound.reader.correlationId(),
                new Response.Failure(Status.PROTOCOL_ERROR, e.getMessage())));
    }

    /** Goes on with a handshake. A connection that has ended is closed after its last requests are dispatched. */
    private void hasRead(SocketLink link) throws IOException {
        if (link.isOpen() && link.bytes.asksForWrite() && link.outbound.lingeringUntil == 0) {
            outbox.writable(link);
        }
        outbox.count(link);
        if (link.bytes.hasEnded()) {
            ended.add(link);
        }
    }

    private void tlsFailed(SocketLink link, TlsException e) {
        context.counters().errors.increment();
        context.users().audit().refused(Refusal.TLS, link.who());
        complaints.warn(LOG, () -> "the connection of " + link.channel.socket().getRemoteSocketAddress()
                + " is closed: " + e.getMessage());
        if (e.isPlain()) {
            try {
                Outbox.sayFarewellInTheClear(link, new Response.Failure(Status.CONNECTION_CLOSED,
                        "this port of the broker uses TLS: connect with TLS"));
                return;
            } catch (IOException broken) {
                LOG.log(Level.FINE, broken, () -> "connection lost: " + broken.getMessage());
            }
        }
        close(link);
    }

    private ByteLink bytesOf(SocketChannel channel) throws IOException {
        return context.tls() == null ? new PlainLink(channel)
                : new TlsLink(channel, context.tls().engine(), tlsBuffers);
    }

    private void adoptNewcomers() {
        for (Newcomer newcomer = newcomers.poll(); newcomer != null; newcomer = newcomers.poll()) {
            SocketLink link = SocketLink.accepted(this, newcomer.channel, context, newcomer.full);
            try {
                link.prepare();
                link.bytes = bytesOf(link.channel);
                link.key = link.channel.register(selector, SelectionKey.OP_READ, link);
                context.connections().add(link);
            } catch (IOException e) {
                LOG.log(Level.FINE, e, () -> "connection lost: " + e.getMessage());
                close(link);
            }
        }
    }

    /** Dispatches the requests of this round, or the first part of them, and responds to those that are refused. */
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

    private void close(SocketLink link) {
        if (!link.isOpen()) {
            return;
        }
        link.closed();
        try {
            link.channel.close();
        } catch (IOException e) {
            LOG.log(Level.FINE, e, () -> "while closing: " + e.getMessage());
        }
        context.connections().remove(link);
        inbox.forget(link);
        outbox.forget(link);
        link.holdings.leave();
        dispatcher.left(link.connection);
    }

    /** An accepted connection. {@code full} is fixed on arrival: later connections do not change it. */
    private record Newcomer(SocketChannel channel, boolean full) {
    }
}
