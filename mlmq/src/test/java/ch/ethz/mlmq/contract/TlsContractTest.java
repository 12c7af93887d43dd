package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.TlsConfig;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.tls.TlsFiles;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A broker whose port speaks TLS. */
class TlsContractTest {
    private static final int PATIENCE_SECONDS = 60;
    private static final String HERE = "IP:127.0.0.1";

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    private static TestCertificates certificates;

    @BeforeAll
    static void makeCertificates(@TempDir Path folder) {
        certificates = new TestCertificates(folder);
        certificates.sign("broker", HERE);
        certificates.sign("elsewhere", "DNS:elsewhere.example");
        certificates.sign("client", "DNS:client.example");
    }

    @OnEveryStorage
    void shouldDeliverManyAndLongMessages(StorageKind storage) throws Exception {
        String address = start(storage, "broker", Map.of("broker.content.max", "1048576"));
        try (ClientLoop loop = ClientLoop.start("tls-client")) {
            AsyncClient client = AsyncClient.open(loop, config(address, trusting()));
            client.whenConnected().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            client.register("tls").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            int queue = client.createQueue("tls").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            List<byte[]> contents = contents();
            List<CompletableFuture<?>> sends = new ArrayList<>();
            for (byte[] content : contents) {
                sends.add(client.sendMessage(queue, content, 5));
            }
            for (CompletableFuture<?> send : sends) {
                send.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }

            List<byte[]> received = new ArrayList<>();
            while (received.size() < contents.size()) {
                List<Message> messages = client.dequeueMessages(MessageQuery.queue(queue), 100)
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                assertThat(messages).isNotEmpty();
                messages.forEach(message -> received.add(message.content()));
            }
            assertThat(received).usingElementComparator(Arrays::compare).containsExactlyElementsOf(contents);
        }
    }

    private static List<byte[]> contents() {
        Random random = new Random(1);
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            byte[] content = new byte[i % 100 == 0 ? 1_000_000 : random.nextInt(2_000)];
            random.nextBytes(content);
            contents.add(content);
        }
        return contents;
    }

    @Test
    void shouldRefuseABrokerWhoseCertificateItDoesNotTrust() {
        String address = start(StorageKind.MEMORY, "broker", Map.of());

        assertThatThrownBy(() -> Client.connect(config(address, TlsConfig.trustingTheJvm())))
                .isInstanceOf(MlmqException.NotConnected.class).hasMessageContaining("TLS failed");
    }

    @Test
    void shouldRefuseABrokerWhoseCertificateNamesAnotherHost() {
        String address = start(StorageKind.MEMORY, "elsewhere", Map.of());

        assertThatThrownBy(() -> Client.connect(config(address, trusting())))
                .isInstanceOf(MlmqException.NotConnected.class).hasMessageContaining("127.0.0.1");
        try (Client client = Client.connect(config(address, trusting().withoutHostVerification()))) {
            assertThat(client.echo(new byte[] {1})).containsExactly(1);
        }
    }

    @Test
    void shouldTellAClientInTheClearThatThePortUsesTls() {
        String address = start(StorageKind.MEMORY, "broker", Map.of());

        assertThatThrownBy(() -> Client.connect(config(address, null)))
                .isInstanceOf(MlmqException.NotConnected.class).hasMessageContaining("uses TLS");
    }

    @Test
    void shouldTellThatTheBrokerDoesNotUseTls() {
        assertThatThrownBy(() -> Client.connect(config(BROKERS.address(StorageKind.MEMORY), trusting())))
                .isInstanceOf(MlmqException.NotConnected.class).hasMessageContaining("does not use TLS");
    }

    @Test
    void shouldRequireCertificatesOfClients() {
        String address = start(StorageKind.MEMORY, "broker", Map.of("broker.tls.clients", "require",
                "broker.tls.authorities", certificates.authority().toString()));
        TlsConfig named = TlsConfig.of(certificates.authority(), certificates.certificate("client"),
                certificates.key("client"));

        assertThatThrownBy(() -> Client.connect(config(address, trusting())))
                .isInstanceOf(MlmqException.NotConnected.class);
        try (Client client = Client.connect(config(address, named))) {
            assertThat(client.echo(new byte[] {1})).containsExactly(1);
        }
    }

    @Test
    void shouldUseKeysOfEachAlgorithm() {
        for (List<String> algorithm : List.of(List.of("-newkey", "rsa:2048"), List.of("-newkey", "ed25519"))) {
            certificates.sign("other", HERE, algorithm);
            String address = start(StorageKind.MEMORY, "other", Map.of());
            try (Client client = Client.connect(config(address, trusting()))) {
                assertThat(client.echo(new byte[] {1})).as("%s", algorithm).containsExactly(1);
            }
        }
    }

    /** More bytes than the system's buffers take, of which the broker holds the rest. */
    @Test
    void shouldSendAllResponsesToASlowReader() throws Exception {
        String address = start(StorageKind.MEMORY, "broker", Map.of("broker.connection.outbound.max", "8388608",
                "broker.memory.max", "33554432", "broker.connection.register.timeout", "1h"));
        for (int number = 1_300; number <= 1_500; number += 25) {
            try (SSLSocket socket = connected(address, "TLSv1.3")) {
                byte[] frames = echoes(number, 2_000);
                long before = BROKERS.requests(address);
                socket.getOutputStream().write(frames);
                long all = before + number;
                BROKERS.until("it has all requests", () -> BROKERS.requests(address) == all);
                BROKERS.until("it has all responses", () -> BROKERS.gauge(address, "responses") == 0);

                assertThat(socket.getInputStream().readNBytes(frames.length)).hasSize(frames.length);
            }
        }
    }

    /** @return requests of which each has a response of the same length */
    private static byte[] echoes(int number, int bytes) {
        ByteBuffer frames = ByteBuffer.allocate(number * (16 + bytes));
        for (int id = 1; id <= number; id++) {
            frames.putInt(12 + bytes).putInt(20).putInt(id).putInt(bytes).position(frames.position() + bytes);
        }
        return frames.array();
    }

    @Test
    void shouldUseFilesThatHaveChanged() throws Exception {
        certificates.sign("changing", "DNS:elsewhere.example");
        String address = start(StorageKind.MEMORY, "changing", Map.of());
        Client before = Client.connect(config(address, trusting().withoutHostVerification()));

        Files.writeString(certificates.certificate("changing"), "nothing");
        certificates.sign("changing", HERE);

        BROKERS.until("the new certificate is used", () -> {
            try (Client client = Client.connect(config(address, trusting()))) {
                return client.echo(new byte[] {1}).length == 1;
            } catch (MlmqException.NotConnected e) {
                return false;
            }
        });
        assertThat(before.echo(new byte[] {1})).containsExactly(1);
        before.close();
    }

    @Test
    void shouldNotWaitForAPipeInPlaceOfAFile() throws Exception {
        certificates.sign("piped", "DNS:elsewhere.example");
        String address = start(StorageKind.MEMORY, "piped", Map.of());
        Path file = certificates.certificate("piped");
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
        // The look at the pipe comes within a second. A broker that waits for it reads no file any more.
        Thread.sleep(2_000);
        Files.delete(file);
        certificates.sign("piped", HERE);
        BROKERS.until("the new certificate is used", () -> isTrusted(address));
    }

    private static boolean isTrusted(String address) {
        try (Client client = Client.connect(config(address, trusting()))) {
            return client.echo(new byte[] {1}).length == 1;
        } catch (MlmqException.NotConnected e) {
            return false;
        }
    }

    @Test
    void shouldEndSessionsThatAreResumedWithACertificateThatHasExpired() throws Exception {
        Instant end = Instant.now().plusSeconds(12).truncatedTo(ChronoUnit.SECONDS);
        certificates.signUntil("passing", end);
        String address = start(StorageKind.MEMORY, "broker", Map.of("broker.tls.clients", "require",
                "broker.tls.authorities", certificates.authority().toString()));
        Map<String, SSLContext> contexts = new HashMap<>();
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            SSLContext context = new TlsFiles(certificates.certificate("passing"), certificates.key("passing"),
                    certificates.authority()).read();
            assertThat(isAnswered(context, address, version)).as("%s, valid", version).isTrue();
            contexts.put(version, context);
        }

        BROKERS.until("the certificate has expired", () -> Instant.now().isAfter(end.plusSeconds(1)));
        contexts.forEach((version, context) ->
                assertThat(isAnswered(context, address, version)).as("%s, expired", version).isFalse());
    }

    private static boolean isAnswered(SSLContext context, String address, String version) {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1",
                URI.create("tls://" + address).getPort())) {
            socket.setEnabledProtocols(new String[] {version});
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            Request keepAlive = new Request.KeepAlive();
            ByteBuffer frame = ByteBuffer.allocate(RequestCodec.frameBytes(keepAlive));
            RequestCodec.encode(keepAlive, 1, frame);
            socket.getOutputStream().write(frame.array());
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldServeOthersWhileHandshakesStandStill() throws Exception {
        String address = start(StorageKind.MEMORY, "broker", Map.of());
        List<Socket> halfway = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                Socket socket = socket(address);
                socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
                halfway.add(socket);
            }
            try (Client client = Client.connect(config(address, trusting()))) {
                assertThat(client.echo(new byte[] {1})).containsExactly(1);
            }
        } finally {
            for (Socket socket : halfway) {
                socket.close();
            }
        }
        BROKERS.until("their connections are closed", () -> BROKERS.gauge(address, "clients") == 0);
    }

    @Test
    void shouldOutliveBytesThatAreNoHandshake() throws Exception {
        String address = start(StorageKind.MEMORY, "broker", Map.of());
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            byte[] garbage = new byte[random.nextInt(2_000) + 5];
            random.nextBytes(garbage);
            if (i % 2 == 0) {
                System.arraycopy(new byte[] {22, 3, 3}, 0, garbage, 0, 3);
            }
            try (Socket socket = socket(address)) {
                socket.getOutputStream().write(garbage);
                socket.shutdownOutput();
                socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
                while (socket.getInputStream().read() >= 0) {
                    // The broker's alert, or its answer in the clear, comes before the end.
                }
            } catch (IOException e) {
                // It may also end the connection at once.
            }
        }

        try (Client client = Client.connect(config(address, trusting()))) {
            assertThat(client.echo(new byte[] {1})).containsExactly(1);
        }
    }

    @Test
    void shouldSpeakVersions12And13Only() throws Exception {
        String address = start(StorageKind.MEMORY, "broker", Map.of());

        assertThat(versionOf(address, "TLSv1.3")).isEqualTo("TLSv1.3");
        assertThat(versionOf(address, "TLSv1.2")).isEqualTo("TLSv1.2");
        assertThatThrownBy(() -> versionOf(address, "TLSv1.1")).isInstanceOf(IOException.class);
    }

    @Test
    void shouldRefuseSettingsThatContradictEachOther() {
        for (Map<String, String> settings : List.of(Map.of("broker.tls.key", "x"),
                Map.of("broker.tls.clients", "require"), Map.of("broker.tls.authorities", "x"))) {
            assertThatThrownBy(() -> BROKERS.start(StorageKind.MEMORY, settings))
                    .hasCauseInstanceOf(ConfigurationException.class).hasStackTraceContaining("broker.tls.certificate");
        }
        assertThatThrownBy(() -> BROKERS.start(StorageKind.MEMORY, Map.of("broker.tls.certificate", "missing.pem",
                "broker.tls.key", "missing.key"))).hasStackTraceContaining("there is no file missing.pem");
        assertThatThrownBy(() -> start(StorageKind.MEMORY, "broker", Map.of("broker.tls.key",
                certificates.key("client").toString())))
                .hasStackTraceContaining("is not the key of the first certificate");
    }

    private static String versionOf(String address, String version) throws Exception {
        try (SSLSocket socket = connected(address, version)) {
            assertThat(socket.getSession().getCipherSuite()).contains("GCM");
            return socket.getSession().getProtocol();
        }
    }

    private static SSLSocket connected(String address, String version) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, null);
        URI place = URI.create("tls://" + address);
        Socket plain = new Socket();
        plain.setReceiveBufferSize(4_096);
        plain.connect(new InetSocketAddress(place.getHost(), place.getPort()));
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, place.getHost(), place.getPort(),
                true);
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        socket.setEnabledProtocols(new String[] {version});
        socket.startHandshake();
        return socket;
    }

    private static Socket socket(String address) throws IOException {
        URI place = URI.create("tls://" + address);
        return new Socket(place.getHost(), place.getPort());
    }

    private static String start(StorageKind storage, String certificate, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "broker.tls.certificate", certificates.certificate(certificate).toString(),
                "broker.tls.key", certificates.key(certificate).toString()));
        settings.putAll(more);
        return BROKERS.start(storage, settings);
    }

    private static TlsConfig trusting() {
        return TlsConfig.trusting(certificates.authority());
    }

    private static ClientConfig config(String address, TlsConfig tls) {
        return ClientConfig.builder().brokers(BrokerAddress.parseList(address)).connectTimeoutMillis(20_000)
                .requestTimeoutMillis(20_000).inflightMax(10_000).tls(tls).build();
    }

    /** Trusts every certificate. */
    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
