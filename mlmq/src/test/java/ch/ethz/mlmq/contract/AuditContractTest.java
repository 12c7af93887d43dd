package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.Credentials;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.postgresql.access.AccountScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A broker that writes down what users do. */
class AuditContractTest {
    private static final int PATIENT_MILLIS = 20_000;
    private static final String PASSWORD = "correct horse battery";
    private static final String MISTAKE = "a-password-typed-as-a-name";

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @TempDir
    private Path folder;
    private Path file;
    private String address;

    @BeforeEach
    void start() throws Exception {
        BROKERS.address(StorageKind.POSTGRESQL);
        AccountScript users = new AccountScript(BROKERS.database().address());
        users.add("alice", ScramVerifier.of(PASSWORD));
        users.execute("grant manage, receive on queue '%' to alice");
        users.execute("grant manage on broker to alice");
        file = folder.resolve("audit.log");
        address = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.auth", "scram",
                "broker.audit.file", file.toString()));
    }

    @Test
    void shouldWriteDownWhoDidWhatAndNoSecret() throws Exception {
        String name = BROKERS.name("jobs");
        int queue;
        int topic;
        try (Client alice = connect("alice", PASSWORD)) {
            alice.register("worker");
            queue = alice.createQueue(name);
            alice.sendMessage(queue, "a content".getBytes(), 5);
            assertThat(catchThrowable(() -> alice.sendMessageToClient(12_345, new byte[1], 5))).isNotNull();
            alice.execute("create user carol password '" + ScramVerifier.of("hers").text() + "'");
            alice.execute("drop user carol");
            alice.deleteQueue(queue, false);
            topic = alice.createTopic(name);
            alice.subscribe(topic, "all", "", true);
            alice.unsubscribe(topic, "all");
            alice.deleteTopic(topic);
        }
        assertThat(catchThrowable(() -> connect("alice", "wrong password"))).hasMessageContaining("is wrong");
        assertThat(catchThrowable(() -> connect(MISTAKE, "x"))).hasMessageContaining("is wrong");
        try (RawClient stranger = new RawClient(address)) {
            stranger.hello(Features.ALL);
            stranger.ask(new Request.Register("stranger"));
        }

        new AccountScript(BROKERS.database().address()).execute("grant send on queue 'a.%' to everybody");
        new AccountScript(BROKERS.database().address()).execute("reserve client worker for alice");

        String alice = "user=alice address=127.0.0.1";
        for (String line : List.of("connected " + alice, "registered " + alice + " client=worker",
                "created " + alice + " queue=" + name + " id=" + queue, "changed " + alice + " drop user carol",
                "changed " + alice + " create user carol password '…'", "deleted " + alice + " queue id=" + queue,
                "reason=password times=", "created " + alice + " topic=" + name + " id=" + topic,
                "created " + alice + " subscription=all topic id=" + topic + " queue id=",
                "deleted " + alice + " subscription=all topic id=" + topic, "deleted " + alice + " topic id=" + topic,
                "noticed user=- address=- new: grant send on queue 'a.%' to everybody",
                "noticed user=- address=- new: client worker of user alice",
                "refused user=- address=127.0.0.1 reason=stranger times=1")) {
            BROKERS.until("there is " + line, () -> text().contains(line));
        }
        assertThat(text()).doesNotContain(PASSWORD, "wrong password", MISTAKE, "SCRAM", "a content");
    }

    private String text() throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private Client connect(String user, String password) {
        return Client.connect(ClientConfig.builder().brokers(BrokerAddress.parseList(address))
                .connectTimeoutMillis(PATIENT_MILLIS).requestTimeoutMillis(PATIENT_MILLIS).backoffMillis(10, 200)
                .credentials(Credentials.of(user, password)).build());
    }
}
