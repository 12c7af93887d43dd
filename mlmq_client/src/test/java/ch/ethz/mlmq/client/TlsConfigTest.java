package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.tls.TlsFiles;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsConfigTest {
    private static final BrokerAddress ADDRESS = BrokerAddress.parseList("127.0.0.1:8099").get(0);
    private static final int CLIENTS = 8;
    private static final int BUFFER_BYTES = 1 << 16;
    /** A certificate and the proof of its key have more bytes. */
    private static final int RESUMED_BYTES = 500;

    private static TlsConfig config;
    private static SSLContext broker;

    /** A connection between two engines. */
    private static final class Link {
        private final SSLEngine client;
        private final SSLEngine server = broker.createSSLEngine();
        private final ByteBuffer up = ByteBuffer.allocate(BUFFER_BYTES);
        private final ByteBuffer down = ByteBuffer.allocate(BUFFER_BYTES);
        /** Those until the client's handshake has ended; then follows what resumes the session. */
        private int downBytes;

        private Link(int slot) throws SSLException {
            client = config.engine(ADDRESS, slot);
            server.setUseClientMode(false);
            client.beginHandshake();
            server.beginHandshake();
        }

        /** @return true if one side has done something */
        private boolean step() throws SSLException {
            boolean moved = step(client, up, down);
            int before = down.position();
            moved |= step(server, down, up);
            if (client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
                downBytes += down.position() - before;
            }
            return moved;
        }

        private static boolean step(SSLEngine engine, ByteBuffer out, ByteBuffer in) throws SSLException {
            HandshakeStatus status = engine.getHandshakeStatus();
            if (status == HandshakeStatus.NEED_TASK) {
                engine.getDelegatedTask().run();
                return true;
            }
            if (status == HandshakeStatus.NEED_WRAP) {
                engine.wrap(ByteBuffer.allocate(0), out);
                return true;
            }
            in.flip();
            int read = engine.unwrap(in, ByteBuffer.allocate(BUFFER_BYTES)).bytesConsumed();
            in.compact();
            return read > 0;
        }
    }

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        Path certificate = folder.resolve("broker.pem");
        Path key = folder.resolve("broker.key");
        Process made = new ProcessBuilder("openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec",
                "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=broker", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", key.toString(), "-out", certificate.toString())
                .redirectErrorStream(true).start();
        assertThat(made.waitFor(1, TimeUnit.MINUTES)).isTrue();
        config = TlsConfig.trusting(certificate);
        broker = new TlsFiles(certificate, key, null).read();
    }

    @Test
    void shouldResumeTheSessionOfEachClientThatConnectsBesideOthers() throws Exception {
        assertThat(connectAtOnce()).allMatch(bytes -> bytes > RESUMED_BYTES);
        assertThat(connectAtOnce()).hasSize(CLIENTS).allMatch(bytes -> bytes < RESUMED_BYTES);
    }

    @Test
    void shouldLendASlotAgainOnceItIsGivenBack() {
        TlsConfig other = TlsConfig.trustingTheJvm();
        assertThat(List.of(other.lendSlot(), other.lendSlot(), other.lendSlot())).containsExactly(0, 1, 2);

        other.giveBack(1);

        assertThat(List.of(other.lendSlot(), other.lendSlot())).containsExactly(1, 3);
    }

    /** @return bytes of the handshake that the broker has sent to each client */
    private static List<Integer> connectAtOnce() throws Exception {
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            links.add(new Link(config.lendSlot()));
        }
        List<Integer> bytes = new ArrayList<>();
        for (Link link : links) {
            while (link.step()) {
                assertThat(link.downBytes).isLessThan(BUFFER_BYTES);
            }
            assertThat(link.client.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
            bytes.add(link.downBytes);
        }
        for (int i = 0; i < CLIENTS; i++) {
            config.giveBack(i);
        }
        return bytes;
    }
}
