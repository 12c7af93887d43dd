package ch.ethz.mlmq.protocol.tls;

import ch.ethz.mlmq.protocol.wire.ByteLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Encrypts the bytes of a connection. The handshake takes place within reads and writes, and nothing waits for it.
 *
 * <p>It holds only the bytes of a record that has not arrived as a whole, and encrypted bytes that the socket has not
 * taken: it encrypts no more before it has taken them.
 */
public final class TlsLink implements ByteLink {
    /** A property of the JVM, which load clients set. */
    private static final String GROUPS = "jdk.tls.namedGroups";
    /** The first byte of a connection is that of a handshake, or of an alert. */
    private static final int HANDSHAKE = 22;
    private static final int ALERT = 21;
    private static final int HEADER_BYTES = 5;
    private static final int LENGTH_AT = 3;
    /** The engine refuses a longer one. */
    private static final int RECORD_MAX = 16_384 + 2_048;
    private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};
    /** Encrypted bytes beyond which a peer that reads nothing gets no further answers to what it asks for in TLS. */
    private static final int UNSENT_MAX = 1 << 17;

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final TlsBuffers buffers;
    /** The encrypted bytes of a record that has not arrived as a whole, or null. */
    private ByteBuffer begun;
    /** Encrypted bytes that the socket has not taken, or null. */
    private ByteBuffer unsent;
    private boolean heard;
    /** True once the handshake has ended, and messages can be written. */
    private boolean open;
    private boolean ended;
    private long writtenBytes;
    /** True if the last read ended the handshake. */
    private boolean opened;

    /** @param engine is in the mode of a client or of a server */
    public TlsLink(SocketChannel channel, SSLEngine engine, TlsBuffers buffers) throws IOException {
        this.channel = channel;
        this.engine = engine;
        this.buffers = buffers;
        engine.beginHandshake();
    }

    /** @throws TlsException if the peer breaks off the handshake, or sends no TLS */
    @Override
    public int read(ByteBuffer into) throws IOException {
        ByteBuffer encrypted = buffers.incoming();
        encrypted.limit(Math.min(encrypted.capacity(), into.remaining()));
        if (begun != null) {
            encrypted.put(begun.flip());
            begun = null;
        }
        int count = channel.read(encrypted);
        encrypted.flip();
        if (!heard && encrypted.hasRemaining()) {
            heard = true;
            if (encrypted.get(0) != HANDSHAKE && encrypted.get(0) != ALERT) {
                throw new TlsException("the other side does not use TLS", null, true);
            }
        }
        int before = into.position();
        boolean wasOpen = open;
        boolean more = decrypt(encrypted, into);
        opened = open && !wasOpen;
        if (encrypted.hasRemaining()) {
            begun = ByteBuffer.allocate(encrypted.remaining()).put(encrypted);
        }
        int decrypted = into.position() - before;
        return decrypted > 0 || more && count >= 0 ? decrypted : -1;
    }

    /** @return false if the peer has said that nothing follows */
    private boolean decrypt(ByteBuffer encrypted, ByteBuffer into) throws IOException {
        try {
            while (true) {
                handshake();
                if (isIncomplete(encrypted)) {
                    return !engine.isInboundDone();
                }
                SSLEngineResult result = engine.unwrap(encrypted, into);
                if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
                    return true;
                }
                if (result.getStatus() == Status.CLOSED) {
                    encrypted.position(encrypted.limit());
                    ended = true;
                    return false;
                }
                if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                    throw new IllegalStateException("the buffer of a read has " + into.remaining() + " free bytes");
                }
            }
        } catch (SSLException e) {
            sayWhy();
            throw new TlsException(reason(e), e, false);
        }
    }

    /** The engine asks for room for a record before it looks whether the record has arrived. */
    private static boolean isIncomplete(ByteBuffer encrypted) {
        if (encrypted.remaining() < HEADER_BYTES) {
            return true;
        }
        int length = encrypted.getShort(encrypted.position() + LENGTH_AT) & 0xffff;
        return length <= RECORD_MAX && encrypted.remaining() < HEADER_BYTES + length;
    }

    /** Does what the handshake needs from this side. */
    private void handshake() throws IOException {
        HandshakeStatus status = engine.getHandshakeStatus();
        while (status == HandshakeStatus.NEED_TASK || status == HandshakeStatus.NEED_WRAP) {
            if (status == HandshakeStatus.NEED_TASK) {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            } else if (encrypt(NOTHING) < 0) {
                return;
            }
            status = engine.getHandshakeStatus();
        }
        if (!open && status == HandshakeStatus.NOT_HANDSHAKING) {
            checkTime();
            open = true;
        }
    }

    /** A client that resumes a session shows no certificate again, and its own may have expired since. */
    private void checkTime() throws SSLException {
        X509Certificate client = engine.getUseClientMode() ? null : peer();
        try {
            if (client != null) {
                client.checkValidity();
            }
        } catch (CertificateException e) {
            throw new SSLException("the certificate of the resumed session is not valid now: " + e.getMessage());
        }
    }

    @Override
    public long write(ByteBuffer... from) throws IOException {
        try {
            handshake();
            long taken = 0;
            while (flush() && open && !ended && hasRemaining(from)) {
                long count = encrypt(from);
                if (count < 0) {
                    break;
                }
                taken += count;
            }
            return taken;
        } catch (SSLException e) {
            throw new TlsException(reason(e), e, false);
        }
    }

    /** Encrypts records as long as there is room for one, and writes them. @return bytes taken; -1 if it is closed */
    private long encrypt(ByteBuffer[] from) throws IOException {
        ByteBuffer outgoing = buffers.outgoing();
        int record = engine.getSession().getPacketBufferSize();
        long taken = 0;
        SSLEngineResult result;
        do {
            result = engine.wrap(from, outgoing);
            taken += result.bytesConsumed();
        } while (result.getStatus() == Status.OK && outgoing.remaining() >= record
                && (from == NOTHING ? result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP : hasRemaining(from)));
        outgoing.flip();
        if (flush()) {
            writtenBytes += channel.write(outgoing);
        }
        if (outgoing.hasRemaining()) {
            keep(outgoing);
        }
        return result.getStatus() == Status.CLOSED && taken == 0 ? -1 : taken;
    }

    private void keep(ByteBuffer outgoing) throws TlsException {
        int waiting = unsent == null ? 0 : unsent.remaining();
        if (waiting > UNSENT_MAX) {
            throw new TlsException("it asks for new keys and reads nothing", null, false);
        }
        ByteBuffer joined = ByteBuffer.allocate(waiting + outgoing.remaining());
        if (unsent != null) {
            joined.put(unsent);
        }
        unsent = joined.put(outgoing).flip();
    }

    /** @return true if no encrypted byte waits for the socket */
    private boolean flush() throws IOException {
        if (unsent != null) {
            writtenBytes += channel.write(unsent);
            if (unsent.hasRemaining()) {
                return false;
            }
            unsent = null;
        }
        return true;
    }

    /** Sends the alert that says why the handshake failed, as far as the socket takes it. */
    private void sayWhy() {
        try {
            encrypt(NOTHING);
        } catch (IOException e) {
            // The connection ends for the reason that is known already.
        }
    }

    private static String reason(SSLException e) {
        Throwable deepest = e;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return "TLS failed: " + deepest.getMessage() + offer(String.valueOf(deepest.getMessage()));
    }

    /** @return what else may be the reason: the JVM answers so, too, if both sides have no key exchange in common */
    private static String offer(String message) {
        String groups = System.getProperty(GROUPS);
        return groups != null && (message.endsWith(" handshake_failure") || message.endsWith(" unexpected_message"))
                ? "; the other side may not know the key exchange of this JVM, " + GROUPS + "=" + groups : "";
    }

    private static boolean hasRemaining(ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public byte[] channelBinding() {
        X509Certificate server = engine.getUseClientMode() ? peer() : first(engine.getSession().getLocalCertificates());
        return server == null ? null : ChannelBinding.of(server);
    }

    @Override
    public String peerName() {
        X509Certificate peer = peer();
        return peer == null ? null : CommonName.of(peer);
    }

    private X509Certificate peer() {
        try {
            return first(engine.getSession().getPeerCertificates());
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    private static X509Certificate first(Certificate[] chain) {
        return chain == null || chain.length == 0 ? null : (X509Certificate) chain[0];
    }

    @Override
    public boolean wantsToWrite(boolean more) {
        return unsent != null || more && open && !ended;
    }

    @Override
    public boolean asksForWrite() {
        return unsent != null || opened;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public long writtenBytes() {
        return writtenBytes;
    }

    @Override
    public int heldBytes() {
        return (begun == null ? 0 : begun.capacity()) + (unsent == null ? 0 : unsent.capacity());
    }

    @Override
    public void shutdownOutput() throws IOException {
        engine.closeOutbound();
        sayWhy();
        channel.shutdownOutput();
    }
}
