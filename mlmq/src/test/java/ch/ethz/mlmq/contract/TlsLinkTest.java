package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.tls.TlsBuffers;
import ch.ethz.mlmq.protocol.tls.TlsFiles;
import ch.ethz.mlmq.protocol.tls.TlsLink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes between two sides of TLS, however the socket cuts them up. */
class TlsLinkTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static SSLContext serverContext;
    private static SSLContext clientContext;

    private final TlsBuffers buffers = new TlsBuffers();

    @BeforeAll
    static void makeCertificates(@TempDir Path folder) throws IOException {
        TestCertificates certificates = new TestCertificates(folder);
        certificates.sign("server", "IP:127.0.0.1");
        serverContext = new TlsFiles(certificates.certificate("server"), certificates.key("server"), null).read();
        clientContext = new TlsFiles(null, null, certificates.authority()).read();
    }

    @Test
    void shouldPassOnAllBytesInBothDirections() throws Exception {
        for (long seed = 0; seed < 10; seed++) {
            Random random = new Random(seed);
            try (Wire wire = new Wire(8_192 << random.nextInt(4))) {
                Side one = new Side(wire.near, clientContext.createSSLEngine("127.0.0.1", 1), true, random);
                Side other = new Side(wire.far, serverContext.createSSLEngine(), false, random);
                long deadline = System.nanoTime() + PATIENCE_NANOS;
                while (!one.isDone(other) || !other.isDone(one)) {
                    (random.nextBoolean() ? one : other).step(random);
                    assertThat(System.nanoTime()).as("seed %d", seed).isLessThan(deadline);
                }

                assertThat(other.got.toByteArray()).as("seed %d", seed).isEqualTo(one.bytes);
                assertThat(one.got.toByteArray()).as("seed %d", seed).isEqualTo(other.bytes);
                assertThat(one.link.heldBytes() + other.link.heldBytes()).isZero();
            }
        }
    }

    @Test
    void shouldHoldLittleForAPeerThatReadsNothing() throws Exception {
        try (Wire wire = new Wire(8_192)) {
            Random random = new Random(1);
            Side one = new Side(wire.near, clientContext.createSSLEngine("127.0.0.1", 1), true, random);
            Side other = new Side(wire.far, serverContext.createSSLEngine(), false, random);
            while (!one.link.wantsToWrite(true) || !other.link.wantsToWrite(true)) {
                one.read();
                one.link.write(ByteBuffer.allocate(0));
                other.read();
            }

            ByteBuffer much = ByteBuffer.allocate(64 << 20);
            long taken;
            do {
                taken = one.link.write(much);
            } while (taken > 0);

            assertThat(much.hasRemaining()).isTrue();
            assertThat(one.link.heldBytes()).isPositive().isLessThan(1 << 18);
        }
    }

    @Test
    void shouldSayThatNothingFollowsBehindTheLastBytes() throws Exception {
        try (Wire wire = new Wire(65_536)) {
            Side one = new Side(wire.near, clientContext.createSSLEngine("127.0.0.1", 1), true, new Random(1));
            Side other = new Side(wire.far, serverContext.createSSLEngine(), false, new Random(1));
            while (!one.link.wantsToWrite(true) || !other.link.wantsToWrite(true)) {
                one.read();
                one.link.write(ByteBuffer.allocate(0));
                other.read();
            }

            one.link.write(ByteBuffer.wrap(new byte[] {7}));
            one.link.shutdownOutput();
            while (!other.link.hasEnded()) {
                other.read();
            }

            assertThat(other.got.toByteArray()).containsExactly(7);
            assertThat(other.link.wantsToWrite(true)).isFalse();
        }
    }

    /** One side of the wire: it sends random bytes, and keeps those that it gets. */
    private final class Side {
        final byte[] bytes;
        final ByteArrayOutputStream got = new ByteArrayOutputStream();
        final TlsLink link;
        private final ByteBuffer outgoing;
        private final ByteBuffer incoming = ByteBuffer.allocateDirect(1 << 18);

        Side(SocketChannel channel, SSLEngine engine, boolean isClient, Random random) throws IOException {
            engine.setUseClientMode(isClient);
            bytes = new byte[random.nextInt(400_000)];
            random.nextBytes(bytes);
            outgoing = ByteBuffer.wrap(bytes);
            link = new TlsLink(channel, engine, buffers);
        }

        void step(Random random) throws IOException {
            if (random.nextBoolean()) {
                read();
            } else {
                int end = Math.min(bytes.length, outgoing.position() + random.nextInt(100_000));
                ByteBuffer first = outgoing.duplicate().limit(end);
                first.limit(first.position() + first.remaining() / 2);
                ByteBuffer second = outgoing.duplicate().limit(end).position(first.limit());
                outgoing.position(outgoing.position() + (int) link.write(first, second));
            }
        }

        void read() throws IOException {
            if (link.read(incoming.clear()) > 0) {
                incoming.flip();
                while (incoming.hasRemaining()) {
                    got.write(incoming.get());
                }
            }
        }

        boolean isDone(Side peer) {
            return got.size() == peer.bytes.length && !link.wantsToWrite(outgoing.hasRemaining());
        }
    }

    /** Two ends of a connection whose buffers in the system are small. */
    private static final class Wire implements AutoCloseable {
        final SocketChannel near = SocketChannel.open();
        final SocketChannel far;

        Wire(int bufferBytes) throws IOException {
            try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                listener.setOption(StandardSocketOptions.SO_RCVBUF, bufferBytes);
                listener.bind(new InetSocketAddress("127.0.0.1", 0));
                near.setOption(StandardSocketOptions.SO_RCVBUF, bufferBytes);
                near.connect(listener.getLocalAddress());
                far = listener.accept();
            }
            for (SocketChannel end : new SocketChannel[] {near, far}) {
                end.setOption(StandardSocketOptions.SO_SNDBUF, bufferBytes);
                end.configureBlocking(false);
            }
        }

        @Override
        public void close() throws IOException {
            near.close();
            far.close();
        }
    }
}
