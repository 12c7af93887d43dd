package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.db.Lane;
import ch.ethz.mlmq.db.Storage;
import ch.ethz.mlmq.protocol.FrameReader;
import ch.ethz.mlmq.protocol.Response;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;

/** A client's connection. Belongs to one I/O thread; the few fields that others use say so. */
final class ClientConnection extends Lane {
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
    /** Exchanges whose answers are not written to the last byte. */
    final Deque<Exchange> unwritten = new ArrayDeque<>(4);
    long encodedBytes;
    long writtenBytes;
    boolean dirty;
    boolean closeWhenWritten;
    /** Until when what it still sends is read and thrown away, so that it can read its last answer [ns]; or 0. */
    long lingeringUntil;

    // Guarded by the request queue's lock.
    final Queue<Exchange> pending = new ArrayDeque<>(4);
    boolean scheduled;

    // Read by workers.
    private volatile boolean congested;
    private volatile boolean open = true;

    // Used by the worker that has the connection's requests; set to be seen by the next one through the queue's lock.
    private volatile Storage.Session session;
    private volatile String name;
    private Response.Registered registration;

    ClientConnection(IoAgent owner, SocketChannel channel, int maxPayload, boolean refused) {
        this.owner = owner;
        this.channel = channel;
        this.reader = new FrameReader(maxPayload);
        this.refused = refused;
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

    void registered(String newName, Response.Registered answer, Storage.Session newSession) {
        name = newName;
        registration = answer;
        session = newSession;
    }

    boolean isOpen() {
        return open;
    }

    void closed() {
        open = false;
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
