package ch.ethz.mlmq.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.TlsConfig;
import ch.ethz.mlmq.config.StorageKind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A broker's TLS as other programs and networks see it. */
class TlsFromOutsideTest {
    private static final int PATIENCE_SECONDS = 60;
    private static final int PATIENT_MILLIS = 20_000;
    /** Bytes that a client sends in its handshake, at least. */
    private static final int HANDSHAKE_BYTES = 350;
    private static final int FLIPS = 60;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    private static TestCertificates certificates;
    private static String address;
    private static SSLContext context;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        certificates = new TestCertificates(folder);
        certificates.sign("broker", "IP:127.0.0.1");
        certificates.sign("rsa", "IP:127.0.0.1", List.of("-newkey", "rsa:2048"));
        address = start("broker");
        KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
        authorities.load(null);
        try (InputStream in = Files.newInputStream(certificates.authority())) {
            authorities.setCertificateEntry("authority", CertificateFactory.getInstance("X.509")
                    .generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
    }

    private static String start(String certificate) {
        return BROKERS.start(StorageKind.MEMORY, Map.of(
                "broker.tls.certificate", certificates.certificate(certificate).toString(),
                "broker.tls.key", certificates.key(certificate).toString(),
                "broker.connection.register.timeout", "500ms"));
    }

    @Test
    void shouldSpeakOnlyVersionsThatAreSafe() throws Exception {
        List<String> accepted = new ArrayList<>();
        for (String version : List.of("-tls1", "-tls1_1", "-tls1_2", "-tls1_3")) {
            if (connects(address, version, "-cipher", "ALL:@SECLEVEL=0")) {
                accepted.add(version);
            }
        }
        assertThat(accepted).containsExactly("-tls1_2", "-tls1_3");
    }

    /** Each cipher that OpenSSL knows, alone. */
    @Test
    void shouldSpeakOnlyCiphersWithForwardSecrecyAndAuthentication() throws Exception {
        String rsa = start("rsa");
        List<String> accepted = new ArrayList<>();
        for (String cipher : openssl("ciphers", "ALL:COMPLEMENTOFALL:@SECLEVEL=0").strip().split(":")) {
            boolean connects = cipher.startsWith("TLS_") ? connects(address, "-tls1_3", "-ciphersuites", cipher)
                    : connects(cipher.contains("RSA") && !cipher.contains("ECDSA") ? rsa : address, "-tls1_2",
                            "-cipher", cipher + ":@SECLEVEL=0");
            if (connects) {
                accepted.add(cipher);
            }
        }
        assertThat(accepted).containsExactlyInAnyOrder("TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
                "TLS_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-AES256-GCM-SHA384",
                "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305", "ECDHE-ECDSA-AES128-GCM-SHA256",
                "ECDHE-RSA-AES128-GCM-SHA256");
    }

    @Test
    void shouldSendAwayAHandshakeThatTrickles() throws Exception {
        String[] place = address.split(":");
        try (Socket socket = new Socket(place[0], Integer.parseInt(place[1]))) {
            socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3});
            BROKERS.until("it is closed", () -> {
                try {
                    socket.getOutputStream().write(7);
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
        }
        assertServes();
    }

    @Test
    void shouldOutliveDamageWithinHandshakes() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < FLIPS; i++) {
            talk(random.nextInt(HANDSHAKE_BYTES), 1 + random.nextInt(255));
        }
        assertServes();
    }

    @Test
    void shouldOutliveDamageAfterHandshakes() throws Exception {
        Random random = new Random(2);
        for (int i = 0; i < FLIPS; i++) {
            talk(HANDSHAKE_BYTES + random.nextInt(1_500), 1 + random.nextInt(255));
        }
        assertServes();
    }

    /** Sends requests over a network that changes a byte. Whatever the broker does, it ends the connection. */
    private static void talk(int place, int change) throws IOException {
        try (FlippingRelay relay = new FlippingRelay(address, place, change); Socket plain = new Socket()) {
            String[] there = relay.address().split(":");
            plain.connect(new InetSocketAddress(there[0], Integer.parseInt(there[1])));
            plain.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, there[0],
                    Integer.parseInt(there[1]), true)) {
                socket.startHandshake();
                ByteBuffer echo = ByteBuffer.allocate(116).putInt(112).putInt(20).putInt(1).putInt(100);
                for (int i = 0; i < 10; i++) {
                    socket.getOutputStream().write(echo.array());
                }
                while (socket.getInputStream().read() >= 0) {
                    // It ends the connection at the damage, or after the time to register.
                }
            } catch (IOException e) {
                // As above.
            }
        }
    }

    private static void assertServes() throws Exception {
        BROKERS.until("the others have gone", () -> BROKERS.gauge(address, "clients") == 0);
        BROKERS.until("all buffers are back", () -> BROKERS.gauge(address, "buffers") == 0);
        try (Client client = Client.connect(ClientConfig.builder().brokers(BrokerAddress.parseList(address))
                .connectTimeoutMillis(PATIENT_MILLIS).requestTimeoutMillis(PATIENT_MILLIS)
                .tls(TlsConfig.trusting(certificates.authority())).build())) {
            assertThat(client.echo(new byte[] {1})).containsExactly(1);
        }
    }

    private static boolean connects(String to, String version, String... ciphers) throws Exception {
        List<String> words = new ArrayList<>(List.of("s_client", "-connect", to, "-CAfile",
                certificates.authority().toString(), "-verify_return_error", version));
        words.addAll(List.of(ciphers));
        String said = openssl(words.toArray(String[]::new));
        return said.contains("Verify return code: 0 (ok)") && said.contains("Cipher is ")
                && !said.contains("Cipher is (NONE)");
    }

    private static String openssl(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return said;
    }
}
