package ch.ethz.mlmq.driver.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.driver.contract.TestLoad;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections to RabbitMQ. */
@Timeout(400)
class AmqpTlsTest {
    @TempDir
    static Path keys;
    private static SSLContext before;
    private static TlsIdentity identity;
    private static RabbitServer server;

    @TempDir
    Path folder;

    @BeforeAll
    static void startServer() throws Exception {
        before = SSLContext.getDefault();
        identity = TlsIdentity.of(keys, "127.0.0.1");
        server = RabbitServer.startedWith(identity);
    }

    @AfterAll
    static void stopServer() throws Exception {
        SSLContext.setDefault(before);
        server.close();
    }

    @Test
    void shouldSendAndTakeWhereTheCertificateIsTrusted() throws Exception {
        SSLContext.setDefault(identity.trusting());
        TestLoad load = load("trusted");

        load.run("Fill", "requests", "300", "inflight.max", "20");
        RunSummary taken = load.run("Rick", "requests", "1000");

        assertThat(TestLoad.errors(taken)).isEmpty();
        assertThat(taken.ledger().received()).isEqualTo(300);
    }

    @Test
    void shouldRefuseACertificateThatNobodyTrusts() throws Exception {
        SSLContext.setDefault(before);

        assertThatThrownBy(() -> load("stranger", "connect.within", "3s").run("PublicQueueProducer"))
                .hasMessageContaining("no client could connect to ").hasMessageContaining("certificat");
    }

    @Test
    void shouldRefuseACertificateOfAnotherAddress() throws Exception {
        SSLContext.setDefault(identity.trusting());
        String address = server.address().replace("127.0.0.1", "localhost");

        assertThatThrownBy(() -> load("other", "driver.address", address, "connect.within", "3s")
                .run("PublicQueueProducer"))
                .hasMessageContaining("no client could connect to ").hasMessageContaining("localhost");
    }

    @Test
    void shouldEndEveryWaitWhereTheServerStandsStill() throws Exception {
        SSLContext.setDefault(identity.trusting());
        TestLoad load = load("still");
        CompletableFuture<RunSummary> sending = load.start("PublicQueueProducer", "rate", "20/s", "duration", "10min",
                "timeout", "1s", "message.size", "100000", "inflight.max", "20");
        load.awaitAnswered(20);

        server.signal("STOP");
        try {
            load.awaitErrors("TIMEOUT", 1);
            // With one request in flight there may be none just when the connection is broken off.
            load.awaitBrokenConnection();
        } finally {
            server.signal("CONT");
        }
        load.awaitAnswered(load.answered() + 20);
        load.shutDown();

        assertThat(TestLoad.errors(sending.join())).containsKey("TIMEOUT");
    }

    private TestLoad load(String prefix, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of("driver", "amqp", "driver.address", server.address(),
                "driver.prefix", prefix, "clients", "1", "queues", "1", "timeout", "20s"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return new TestLoad(folder.resolve(prefix), settings);
    }
}
