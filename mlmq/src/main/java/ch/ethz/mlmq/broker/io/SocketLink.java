package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.audit.AuditLog;
import ch.ethz.mlmq.broker.audit.Refusal;
import ch.ethz.mlmq.broker.limits.Holdings;
import ch.ethz.mlmq.broker.limits.Network;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Link;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.ByteLink;
import ch.ethz.mlmq.protocol.wire.TcpKeepAlive;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The I/O thread's part of a connection. Other threads use only the methods of {@link Link} and those that say so. */
final class SocketLink implements Link {
    private static final Response.Failure FULL =
            new Response.Failure(Status.BROKER_FULL, "the broker has its largest number of clients");
    /** Connections beyond a limit that are told so; any more are closed without a response. */
    private static final int TOLD_BEYOND = 100;

    final IoAgent agent;
    final SocketChannel channel;
    final ClientConnection connection;
    final Inbound inbound;
    final Outbound outbound = new Outbound();
    /** What it counts for its user and its address. */
    final Holdings holdings;
    SelectionKey key;
    /** Its bytes, plain or encrypted. */
    ByteLink bytes;
    /** What {@link #bytes} held when it was last counted. */
    int heldBytes;
    /** Where it counts while it is open. */
    private AtomicInteger counter;
    /** Requests that were read and whose responses are not encoded yet. */
    int unanswered;
    /** Requests that can be cancelled, by correlation id. */
    private final Map<Integer, Exchange> cancellable = new HashMap<>();

    // Read by other threads.
    private volatile boolean open = true;
    private volatile boolean congested;
    private volatile int answerMax;
    private volatile long features;
    /** Bytes of begun frames and unread responses. */
    private volatile long memory;

    /** @param refusal what all its requests get; null if it is served */
    SocketLink(IoAgent agent, SocketChannel channel, int maxPayload, Holdings holdings, Response.Failure refusal) {
        this.agent = agent;
        this.channel = channel;
        this.inbound = new Inbound(maxPayload);
        this.answerMax = Math.min(maxPayload, Limits.DEFAULT_PAYLOAD_BYTES);
        this.holdings = holdings;
        this.connection = new ClientConnection(this, refusal);
    }

    /** @param full true if the broker has too many connections */
    static SocketLink accepted(IoAgent agent, SocketChannel channel, BrokerContext context, boolean full) {
        Holdings holdings = new Holdings();
        Response.Failure refusal = refusal(channel, context, full, holdings);
        SocketLink link = new SocketLink(agent, channel, context.limits().protocol().maxPayloadBytes(), holdings,
                refusal);
        link.counter = context.counters().clients;
        if (refusal != null) {
            link.counter = context.counters().refusedClients;
            link.counter.incrementAndGet();
            context.counters().clients.decrementAndGet();
        }
        return link;
    }

    /** @throws IOException if it is lost already, or refused as one of too many */
    void prepare() throws IOException {
        if (connection.isRefused() && counter.get() > TOLD_BEYOND) {
            throw new IOException("too many connections are beyond a limit");
        }
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        TcpKeepAlive.on(channel);
    }

    private static Response.Failure refusal(SocketChannel channel, BrokerContext context, boolean full,
            Holdings holdings) {
        AuditLog.Who who = new AuditLog.Who("", address(channel));
        if (full) {
            context.users().audit().refused(Refusal.FULL, who);
            return FULL;
        }
        String obstacle = holdings.enter(context.doors().ofAddresses(), Network.of(who.address(), Network.HOST));
        return obstacle == null ? null : context.limited(who, obstacle);
    }

    /** @return who the audit log says it is */
    AuditLog.Who who() {
        return new AuditLog.Who(connection.session().user(), address());
    }

    @Override
    public String address() {
        return address(channel);
    }

    private static String address(SocketChannel channel) {
        return channel.socket().getInetAddress() == null ? "" : channel.socket().getInetAddress().getHostAddress();
    }

    /** @return the connection of the exchange */
    static SocketLink of(Exchange exchange) {
        return (SocketLink) exchange.connection().link();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    void closed() {
        open = false;
        counter.decrementAndGet();
    }

    @Override
    public boolean isCongested() {
        return congested && open;
    }

    void congested(boolean isNow) {
        congested = isNow;
    }

    @Override
    public int answerMax() {
        return answerMax;
    }

    void answerMax(int payload) {
        answerMax = payload;
    }

    @Override
    public boolean has(long feature) {
        return (features & feature) != 0;
    }

    /** Sets the features that both sides have agreed on. */
    void granted(long agreed) {
        features = agreed;
        inbound.reader.features(agreed);
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    void memory(long change) {
        memory += change;
        holdings.hold(change);
    }

    /** Counts a request that was read. */
    void asked(int bytes) {
        unanswered++;
        holdings.hold(bytes);
    }

    /** Counts the response of a request, or that it gets none. */
    void answered(Exchange exchange) {
        unanswered--;
        if (open) {
            holdings.hold(-exchange.bytes());
        }
    }

    /** @return true if bytes for the client wait */
    boolean hasUnsent() {
        return !outbound.isEmpty() || bytes.wantsToWrite(false);
    }

    /** @return bytes that it uses of the memory budget; any thread may call this */
    long memory() {
        Unconfirmed kept = connection.session().unconfirmed();
        return memory + (kept == null ? 0 : kept.bytes());
    }

    /** Allows the request to be cancelled, until it is {@linkplain #settled settled}. */
    void opened(Exchange exchange) {
        cancellable.put(exchange.correlationId(), exchange);
        connection.session().unconfirmed().asked(exchange.correlationId());
    }

    /** Ends the time in which the request can be cancelled. */
    void settled(Exchange exchange) {
        cancellable.remove(exchange.correlationId(), exchange);
    }

    /** @return the cancellable request of that id, or null */
    Exchange open(int correlationId) {
        return cancellable.get(correlationId);
    }

    @Override
    public void respond(Exchange exchange) {
        try {
            agent.respond(List.of(exchange));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void executeAgain(Exchange exchange) {
        agent.run(() -> agent.execute(exchange));
    }

    @Override
    public void sendAway(String why) {
        agent.run(() -> agent.sendAway(this, why));
    }
}
