package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.storage.Lane;
import ch.ethz.mlmq.storage.Storage;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** A client's connection. Belongs to one I/O thread; the few fields that others use say so. */
final class ClientConnection {
    final Lane lane = new Lane();
    final IoAgent owner;
    final SocketChannel channel;
    final FrameReader reader;
    /** Told BROKER_FULL whatever it asks. */
    final boolean refused;
    SelectionKey key;
    /** What has arrived of a frame, or null where it ended with one. */
    ByteBuffer partial;
    /** Answers as bytes: whole buffers that are being written, and the one that is still being filled, or null. */
    final Deque<ByteBuffer> outbound = new ArrayDeque<>(2);
    ByteBuffer filling;
    /** Its deliveries that are not confirmed; null where nothing of the kind was agreed on. */
    volatile Unconfirmed unconfirmed;
    /** Its requests that a cancel may be about, by correlation id. */
    private final Map<Integer, Exchange> cancellable = new HashMap<>();
    /** Requests that were read and have no answer among the outbound bytes yet. */
    int unanswered;
    /** A request to register is under way, so that longer frames may follow it. */
    boolean registering;
    /** The last answer, once those before it are given; or null. */
    Farewell farewell;
    /** It has sent a request. */
    boolean hasSpoken;
    /** When the last whole request had come [ns]. */
    long heardNanos;
    /** When bytes of answers were last taken, or began to wait [ns]. */
    long progressNanos;
    /** Exchanges whose answers are not written to the last byte. */
    final Deque<Exchange> unwritten = new ArrayDeque<>(4);
    long encodedBytes;
    long writtenBytes;
    boolean dirty;
    boolean closeWhenWritten;
    /** Until when what it still sends is read and thrown away, so that it can read its last answer [ns]; or 0. */
    long lingeringUntil;

    /** Its requests that wait for a message; guarded by the waiting room's lock. */
    int parked;
    int parkedSearches;

    // Guarded by the request queue's lock.
    final Queue<Exchange> pending = new ArrayDeque<>(4);
    long pendingBytes;
    /**
     * Requests among those that go apart, the route of the last one, and all that count in the rooms of routes apart.
     */
    int apartPending;
    Route lastApart = Route.BATCH;
    int behindApart;
    boolean scheduled;
    boolean held;
    /** The first so many of its pending requests, and their bytes, count as held, also when it is not held any more. */
    int heldCount;
    long heldBytes;

    /** Bytes that what has arrived and what is not read takes; written by the I/O thread, read by all of them. */
    private volatile long memory;

    // Read by workers.
    private volatile boolean congested;
    private volatile boolean open = true;
    private volatile boolean served = true;
    private volatile long features;
    private volatile long token;
    private volatile int answerMax;
    private volatile boolean patient = true;
    /** It was chosen to be sent away, perhaps by another thread. */
    volatile boolean condemned;

    // Used by the worker that has the connection's requests; set to be seen by the next one through the queue's lock.
    private volatile Storage.Session session;
    private volatile String name;
    private Response.Registered registration;

    /** What a connection is told before it is closed. */
    record Farewell(int correlationId, Response.Failure answer) {
    }

    ClientConnection(IoAgent owner, SocketChannel channel, int maxPayload, boolean refused) {
        this.owner = owner;
        this.channel = channel;
        this.reader = new FrameReader(maxPayload);
        this.answerMax = Math.min(maxPayload, Limits.DEFAULT_PAYLOAD_BYTES);
        this.refused = refused;
        this.heardNanos = System.nanoTime();
    }

    /** @return id of its client, or 0 where it has not registered */
    int client() {
        Storage.Session current = session;
        return current == null ? 0 : current.client();
    }

    Storage.Session session() {
        return session;
    }

    String name() {
        return name;
    }

    /** @return what the client was told when it registered, or null */
    Response.Registered registration() {
        return registration;
    }

    /** Called by the owner alone: this is what both sides have agreed on. */
    void granted(long agreed) {
        features = agreed;
        reader.features(agreed);
    }

    /** @param feature one of {@link ch.ethz.mlmq.protocol.Features} */
    boolean has(long feature) {
        return (features & feature) != 0;
    }

    /** Called by the owner alone: a cancel may come for the request, until it is {@linkplain #settled settled}. */
    void opened(Exchange exchange) {
        cancellable.put(exchange.correlationId, exchange);
        unconfirmed.asked(exchange.correlationId);
    }

    /** Called by the owner alone. */
    void settled(Exchange exchange) {
        cancellable.remove(exchange.correlationId, exchange);
    }

    /** Called by the owner alone. @return the request that is open under that id, or null */
    Exchange open(int correlationId) {
        return cancellable.get(correlationId);
    }

    /** @return what takes its name over, or 0 where it has none */
    long token() {
        return token;
    }

    void registered(String newName, long newToken, Response.Registered answer, Storage.Session newSession) {
        name = newName;
        token = newToken;
        registration = answer;
        session = newSession;
    }

    boolean isOpen() {
        return open;
    }

    void closed() {
        open = false;
    }

    /** @return whether its requests are still to be executed */
    boolean isServed() {
        return open && served;
    }

    /** Nothing more is executed for it, and none of its requests waits for a message: it leaves, or is sent away. */
    void serveNoMore() {
        served = false;
    }

    /** None of its requests waits for a message any longer; those that do not are executed. */
    void waitsNoMore() {
        patient = false;
    }

    /** @return whether its requests may wait for a message */
    boolean mayWait() {
        return open && served && patient;
    }

    /** Called by the owner alone. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    void memory(long change) {
        memory += change;
    }

    /** @return bytes of memory that it takes from the others */
    long memory() {
        Unconfirmed kept = unconfirmed;
        return memory + (kept == null ? 0 : kept.bytes());
    }

    /** @return the longest frame that its client takes, after its length [bytes] */
    int answerMax() {
        return answerMax;
    }

    /** Called by the owner alone. */
    void answerMax(int payload) {
        answerMax = payload;
    }

    boolean hasUnwritten() {
        return encodedBytes > writtenBytes;
    }

    /** @return whether it has too many unread bytes of answers to be given more */
    boolean isCongested() {
        return congested && open;
    }

    void congested(boolean isNow) {
        congested = isNow;
    }

    long unwrittenBytes() {
        return encodedBytes - writtenBytes;
    }
}
