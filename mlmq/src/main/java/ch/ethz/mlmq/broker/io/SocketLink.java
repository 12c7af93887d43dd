package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Link;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.wire.ByteLink;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The I/O thread's part of a connection. Other threads use only the methods of {@link Link} and those that say so. */
final class SocketLink implements Link {
    final IoAgent agent;
    final SocketChannel channel;
    final ClientConnection connection;
    final Inbound inbound;
    final Outbound outbound = new Outbound();
    SelectionKey key;
    /** Its bytes, plain or encrypted. */
    ByteLink bytes;
    /** What {@link #bytes} held when it was last counted. */
    int heldBytes;
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

    SocketLink(IoAgent agent, SocketChannel channel, int maxPayload, boolean refused) {
        this.agent = agent;
        this.channel = channel;
        this.inbound = new Inbound(maxPayload);
        this.answerMax = Math.min(maxPayload, Limits.DEFAULT_PAYLOAD_BYTES);
        this.connection = new ClientConnection(this, refused);
    }

    /** @return where the connection comes from; empty once it is closed */
    String address() {
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
